import { failed, ok } from '@corridor/kernel'
import { expect, it } from 'vitest'
import { type Failure, fail } from '../../vocabulary/errors.ts'
import type { Operation, Route } from '../../vocabulary/operation.ts'
import { type DispatchEngine, dispatch, type ParsedRequest } from './dispatch.ts'
import type { IdempotencyStore } from './idempotency.ts'
import type { CompiledOperation } from './validate.ts'

const engine = {
  clock: { now: async () => 0, scope: async () => ({}) },
  keys: { seal: () => '' },
  world: { uuid: () => '' },
  auditLog: { write: async () => {} },
  settings: {},
} as unknown as DispatchEngine

const idempotency = {
  identify: () => ok('key'),
  begin: () => ok(() => {}),
  find: async () => ok(null),
} as unknown as IdempotencyStore

const request = {
  method: 'POST',
  path: '/payments',
  requestId: 'request',
  principal: { platformId: 'p', environment: 'SANDBOX', actor: { id: 'token', permissions: [] } },
  params: {},
  query: {},
  header: () => 'key',
} as unknown as ParsedRequest

/** The response to a request whose refusal was committed with an effect, and that then failed in another way. */
async function isCommitted(stored: Failure, last: Failure): Promise<boolean> {
  const route: Route<DispatchEngine> = {
    operation: {
      id: 'pay',
      method: 'POST',
      path: '/payments',
      auth: 'basic',
      errors: [],
    } as unknown as Operation,
    async handle(_engine, { scope }) {
      const { recording } = scope
      recording!.stored = recording!.refuse(stored)!
      return failed(last)
    },
  }
  const answer = await dispatch(engine, idempotency, route, {} as CompiledOperation, request)
  return answer.isCommitted === true
}

it('takes a refusal for committed only where its bytes are those of the commit', async () => {
  const declined = fail('INSUFFICIENT_BALANCE')
  expect(await isCommitted(declined, declined)).toBe(true)
  expect(await isCommitted(declined, fail('CONFLICT', { reason: 'CONCURRENT_UPDATE' }))).toBe(false)
})
