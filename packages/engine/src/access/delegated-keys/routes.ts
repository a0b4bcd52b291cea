import { failed, ok, type Result, stateAfter, statesBefore } from '@corridor/kernel'
import { commit } from '../../mechanisms/db/apply.ts'
import { route } from '../../mechanisms/feature/bound.ts'
import type { Engine } from '../../mechanisms/feature/engine.ts'
import { type Failure, fail, failFields } from '../../vocabulary/errors.ts'
import { changedAt, type Scope } from '../../vocabulary/scope.ts'
import { createDelegatedKey, getDelegatedKey, listDelegatedKeys, revokeDelegatedKey } from './contract.ts'
import { createKey } from './create.ts'
import { delegatedKeyMachine } from './machine.ts'
import { renderDelegatedKey } from './render.ts'
import { type DelegatedKey, listKeys, loadDelegatedKey } from './store.ts'

export const delegatedKeyRoutes = [
  route(listDelegatedKeys, async (engine, { scope, query }) => {
    const { accountId, fundingSourceId } = query
    if (!accountId && !fundingSourceId) {
      const message = 'is required if fundingSourceId is absent'
      return failed(failFields([{ field: 'accountId', message }]))
    }
    const keys = await listKeys(engine.database, scope, {
      ...(accountId ? { accountIds: accountId } : {}),
      ...(fundingSourceId ? { fundingSourceIds: fundingSourceId } : {}),
    })
    return ok({ status: 200, body: { data: keys.map(renderDelegatedKey) } })
  }),

  route(createDelegatedKey, createKey),

  route(getDelegatedKey, async (engine, { scope, params }) => {
    const key = await requireKey(engine, scope, params.id)
    return key.ok ? ok({ status: 200, body: renderDelegatedKey(key.value) }) : key
  }),

  route(revokeDelegatedKey, (engine, { scope, params }) =>
    commit(engine.applier, scope, async () => {
      const found = await requireKey(engine, scope, params.id)
      if (!found.ok) return found
      const { id, version, status, updatedAt } = found.value
      if (status !== 'ACTIVE') return failed(failFields([{ field: 'id', message: 'is not an active key' }]))
      const set = {
        status: stateAfter(delegatedKeyMachine, 'revoke'),
        updated_at: changedAt(scope, updatedAt),
      }
      return ok({
        updates: [
          { table: 'delegated_keys', id, from: statesBefore(delegatedKeyMachine, 'revoke'), version, set },
        ],
        result: () => ({ status: 204 }),
      })
    }),
  ),
]

async function requireKey(
  { database }: Engine,
  scope: Scope,
  id: string,
): Promise<Result<DelegatedKey, Failure>> {
  const key = await loadDelegatedKey(database, scope, id)
  return key ? ok(key) : failed(fail('REFERENCE_NOT_FOUND', { resourceType: 'DelegatedKey', id }))
}
