import {
  createCustomer,
  fund,
  internalAccountOf,
  openTestServer,
  type TestServer,
} from '@corridor/testkit/index.ts'
import { expect, it } from 'vitest'
import { basic } from '../e2e/raw-calls.ts'

const server = await openTestServer()
type Platform = Awaited<ReturnType<TestServer['platform']>>

interface Verdict {
  readonly status: string
  readonly problems: { rule: string; subject: string }[]
}

async function verdict(as: Platform): Promise<Verdict> {
  const headers = { authorization: basic(as) }
  return (await (await server.fetch(`${server.baseUrl}/ledger/audit`, { headers })).json()) as Verdict
}

it('says what does not add up, to whom it belongs, and no sooner than five seconds after the last verdict', async () => {
  const platform = await server.platform()
  const other = await server.platform()
  const api = server.client(platform)
  const { id } = await createCustomer(api)
  const account = await internalAccountOf(api, id, 'USD')
  await fund(api, account.id, 1_000_00)
  const before = await verdict(platform)
  expect(before).toMatchObject({ status: 'SOUND', problems: [] })

  const tamper = (minor: number) =>
    server.engine.database.asLogin((connection) =>
      connection.script(
        `update ledger_accounts set credits_posted = credits_posted + (${minor}) where id = 'avail:${account.id}'`,
      ),
    )
  await tamper(7)
  expect(await verdict(platform)).toEqual(before)
  await server.pass(6_000)
  const after = await verdict(platform)
  expect(after.status).toBe('UNSOUND')
  expect(after.problems.map(({ rule, subject }) => [rule, subject])).toEqual([
    ['CURRENCY_UNBALANCED', 'USD'],
    ['BALANCE_DIFFERS_FROM_TRANSFERS', `avail:${account.id}`],
  ])
  expect((await verdict(other)).status).toBe('SOUND')
  await tamper(-7)
})

it('forgets what the server before showed once another has taken over', async () => {
  const platform = await server.platform()
  const first = await verdict(platform)
  const { database } = server.engine
  const { server: nameOf } = database
  server.world.passMs(1_000)
  expect(await verdict(platform)).toEqual(first)
  Object.assign(database, { server: () => 'another' })
  const again = await verdict(platform).finally(() => Object.assign(database, { server: nameOf }))
  expect(again).not.toEqual(first)
})
