import type { Decision } from '@corridor/engine/vocabulary/decision.ts'
import { openTestServer } from '@corridor/testkit/index.ts'
import { beforeEach, expect, it } from 'vitest'
import { cardApi } from '../e2e/card-api.ts'

// A card that is changed and charged at the same moment (cards 1.3, 1.5).

const server = await openTestServer()
let before:
  | { isIt: (decision: Decision) => boolean; happens: () => Promise<unknown>; left: number }
  | undefined
const { applier } = server.engine
const apply = applier.apply.bind(applier) as (scope: unknown, decision: Decision) => Promise<never>
Object.assign(applier, {
  async apply(scope: unknown, decision: Decision) {
    const now = before
    if (now && now.left > 0 && now.isIt(decision)) {
      now.left--
      await now.happens()
    }
    return apply(scope, decision)
  },
})
beforeEach(() => {
  before = undefined
})

const charges = ({ inserts = [] }: Decision) => inserts.some(({ table }) => table === 'card_transactions')
const changes = ({ updates = [] }: Decision) =>
  updates.some(({ table, set }) => table === 'cards' && 'max_spend' in set)

async function start() {
  const cards = await cardApi(server)
  const card = await cards.activeCard()
  const path = `/cards/${card.id}`
  const change = (body: object) => cards.call('PATCH', path, body)
  const charge = () => cards.authorize(card.id, 1_000)
  return { ...cards, path, change, charge }
}

const meanwhile: [string, (at: Awaited<ReturnType<typeof start>>) => Promise<{ status: number }>][] = [
  ['a lower limit', ({ change }) => change({ maxSpendPerTransaction: 999 })],
  ['a freeze', ({ change }) => change({ state: 'FROZEN' })],
]
it.each(meanwhile)('is charged as it is when the charge is written: %s', async (_, happens) => {
  const at = await start()
  let changed: { status: number } | undefined
  before = {
    isIt: charges,
    left: 1,
    async happens() {
      changed = await happens(at)
    },
  }
  expect(await at.charge()).toBeUndefined()
  expect(changed?.status).toBe(200)
  expect((await at.account()).totalBalance.amount).toBe(50_000)
})

it('is raised within the limit that it has when the advice is written', async () => {
  const { change, charge, simulate, after, path } = await start()
  const { id } = await charge()
  const raises = ({ updates = [] }: Decision) => updates.some(({ table }) => table === 'card_transactions')
  before = { isIt: raises, left: 1, happens: () => change({ maxSpendPerTransaction: 1_200 }) }
  const cardId = path.slice('/cards/'.length)
  const advice = await simulate(cardId, 'authorization_advice', { cardTransactionId: id, amount: 1_500 })
  expect([advice.status, before.left]).toEqual([202, 0])
  expect((await after(id)).authorizedAmount.amount).toBe(1_000)
})

it('is frozen at once, however often it is charged meanwhile', async () => {
  const { change, charge, path, call } = await start()
  const charged: unknown[] = []
  const more = async () => charged.push(await charge())
  before = { isIt: changes, left: 60, happens: more }
  expect(await change({ state: 'FROZEN' })).toMatchObject({ status: 200, body: { state: 'FROZEN' } })
  expect(charged).toHaveLength(1)
  expect(charged[0]).toMatchObject({ status: 'AUTHORIZED' })
  expect((await call('GET', path)).body.state).toBe('FROZEN')
})
