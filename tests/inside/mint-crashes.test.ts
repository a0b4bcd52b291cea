import type { Decision } from '@corridor/engine/vocabulary/decision.ts'
import { openTestServer, type TestServer } from '@corridor/testkit/index.ts'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { stablecoinApi } from '../e2e/stablecoin-api.ts'

// Cards-stablecoins 2.4: what the provider took on is on record, once, whatever is lost on the way.

const server = await openTestServer()
/** Whether the process dies instead of committing this decision. */
let dies: (decision: Decision) => boolean
beforeAll(async () => {
  const { applier } = server.engine
  const apply = applier.apply.bind(applier) as (scope: unknown, decision: Decision) => Promise<never>
  Object.assign(applier, {
    async apply(scope: unknown, decision: Decision) {
      if (dies(decision)) throw new Error('the process died')
      return apply(scope, decision)
    },
  })
})

type Submit = NonNullable<TestServer['thirdParties']['SANDBOX']['stablecoins']>['submit']
let original: Submit
beforeEach(() => {
  dies = () => false
  original = server.thirdParties.SANDBOX.stablecoins!.submit
})
afterEach(async () => {
  server.thirdParties.SANDBOX.stablecoins!.submit = original
  await server.expectSoundLedger()
})

const unavailable = { status: 'UNAVAILABLE' } as const
const movesOperation = ({ updates }: Decision) =>
  updates?.some(({ table, set }) => table === 'stablecoin_operations' && set.status !== undefined) ?? false

function signal(): [Promise<void>, () => void] {
  let tell!: () => void
  return [
    new Promise((resolve) => {
      tell = resolve
    }),
    () => tell(),
  ]
}

/** A coin, a mint of it under one key, and what the provider took on of that. */
async function start() {
  const { api, post, get, register, wallet, bank } = await stablecoinApi(server)
  const { body: coin } = await register('acme')
  const taken = new Set<string>()
  const issuer = server.thirdParties.SANDBOX.stablecoins!
  const body = {
    amount: '10000',
    fundingSource: { type: 'ACH_DEBIT', externalAccountId: bank.id },
    destination: { accountId: wallet.id },
  }
  return {
    mint: () => post(`/stablecoins/${coin.id}/mints`, body, 'one'),
    operations: async () => (await get(`/stablecoins/${coin.id}/operations`)).data,
    taken,
    /** Stands before the provider; undefined lets the submission through. */
    before(answer: (call: number) => Promise<typeof unavailable | undefined>) {
      let calls = 0
      issuer.submit = async (access, instruction, now) => {
        const instead = await answer(++calls)
        if (instead) return instead
        taken.add(instruction.operationId)
        return original(access, instruction, now)
      }
    },
    deleteBank: () =>
      api.DELETE('/platform/external-accounts/{externalAccountId}', {
        params: { path: { externalAccountId: bank.id as never } },
      }),
  }
}

describe('a mint that the provider took on', () => {
  it('is minted once although its record was not moved on, and the repetition finds the provider down', async () => {
    const { mint, operations, taken, before } = await start()
    let isDown = false
    before(async () => (isDown ? unavailable : undefined))
    dies = movesOperation
    expect(await mint()).toMatchObject({ status: 500 })
    dies = () => false
    isDown = true
    const again = await mint()
    expect(again).toMatchObject({ status: 201, body: { status: 'CREATED' } })
    isDown = false
    expect((await mint()).body).toEqual(again.body)
    await server.pass(61_000)
    await server.pass(2_000)
    expect(await operations()).toMatchObject([{ id: again.body.id, status: 'COMPLETED' }])
    expect([...taken]).toEqual([again.body.id])
  })

  it('by a job stays on record when the request hears late that it was not', async () => {
    const { mint, operations, taken, before } = await start()
    const [isAsked, tellAsked] = signal()
    const [isAnswered, tellAnswered] = signal()
    let first: ReturnType<typeof mint> | undefined
    before(async (call) => {
      if (call > 1) {
        // The request is answered while the job is on its way back.
        tellAnswered()
        await first
        return undefined
      }
      tellAsked()
      await isAnswered
      return unavailable
    })
    first = mint()
    await isAsked
    await server.pass(61_000)
    const { status, body } = await first
    expect([status, body.status]).toEqual([201, 'CREATED'])
    await server.pass(10_000)
    expect((await mint()).body).toEqual(body)
    expect(await operations()).toMatchObject([{ id: body.id, status: 'COMPLETED' }])
    expect([...taken]).toEqual([body.id])
  })

  it('is answered with itself when it is repeated, although it would be refused by now', async () => {
    const { mint, operations, taken, before, deleteBank } = await start()
    before(async () => undefined)
    dies = movesOperation
    expect(await mint()).toMatchObject({ status: 500 })
    dies = () => false
    expect((await deleteBank()).response.status).toBe(204)
    const again = await mint()
    expect(again).toMatchObject({ status: 201, body: { status: 'PENDING_PROVIDER' } })
    await server.pass(120_000)
    expect(await operations()).toMatchObject([{ id: again.body.id, status: 'COMPLETED' }])
    expect(taken.size).toBe(1)
  })
})
