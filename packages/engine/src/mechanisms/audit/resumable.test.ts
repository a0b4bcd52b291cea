import {
  createCustomer,
  fund,
  internalAccountOf,
  startTestServer,
  type TestServer,
} from '@corridor/testkit/index.ts'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { auditEverything } from './audit.ts'
import { type AuditProgress, auditInSteps } from './resumable.ts'

let server: TestServer
beforeEach(async () => {
  server = await startTestServer()
})
afterEach(() => server.close({ audited: false }))

const tamper = (text: string) => server.engine.database.asLogin((connection) => connection.script(text))

/** Findings of rules at the beginning, in the middle and at the end. */
async function damage(): Promise<void> {
  const api = server.client(await server.platform())
  const customer = await createCustomer(api)
  const usd = await internalAccountOf(api, customer.id, 'USD')
  for (let count = 0; count < 3; count++) await fund(api, usd.id, 1_000)
  await tamper(`update ledger_accounts set credits_posted = credits_posted + 5 where id = 'avail:${usd.id}'`)
  await tamper(`update transactions set received_amount = 7 where id = (select min(id) from transactions)`)
  await tamper(`update internal_accounts set owner_id = 'Customer:none' where id = '${usd.id}'`)
}

/** Runs until `atMost` steps are saved, as if the process was killed then. */
async function interrupted(atMost: number, from?: AuditProgress): Promise<AuditProgress | undefined> {
  let last = from
  let saved = 0
  const run = auditInSteps(server.engine.database, {
    keys: server.engine.keys,
    from,
    save(progress) {
      last = progress
      if (++saved === atMost) throw new Error('killed')
    },
  })
  await expect(run).rejects.toThrow('killed')
  return last
}

it('finds the same after any interruption as in one go', async () => {
  await damage()
  const expected = await auditEverything(server.engine.database, server.engine.keys)
  expect(expected.problems.length).toBeGreaterThan(3)
  let progress: AuditProgress | undefined
  for (const steps of [1, 4, 3, 7]) {
    // Kept as text, as the program keeps it.
    progress = JSON.parse(JSON.stringify(await interrupted(steps, progress))) as AuditProgress
  }
  expect(progress!.step).toBe(15)
  const report = await auditInSteps(server.engine.database, {
    keys: server.engine.keys,
    from: progress,
    save() {},
  })
  const inOrder = (problems: readonly object[]) => problems.map((problem) => JSON.stringify(problem)).sort()
  expect({ ...report, problems: inOrder(report.problems) }).toEqual({
    ...expected,
    problems: inOrder(expected.problems),
  })
})

it('does not check again what it had checked', async () => {
  await damage()
  const progress = await interrupted(5)
  // Found before the interruption, and put right since: the report still has it, because its rule is over.
  await tamper(
    `update ledger_accounts set credits_posted = credits_posted - 5 where id like 'avail:%' and credits_posted > 3000`,
  )
  const saved: number[] = []
  const report = await auditInSteps(server.engine.database, {
    keys: server.engine.keys,
    from: progress,
    save: ({ step }) => saved.push(step),
  })
  expect(saved[0]).toBe(6)
  expect(report.problems.map(({ rule }) => rule)).toContain('BALANCE_DIFFERS_FROM_TRANSFERS')
})

it('starts from the beginning after a release with other rules', async () => {
  await damage()
  const progress = await interrupted(20)
  const saved: number[] = []
  await auditInSteps(server.engine.database, {
    keys: server.engine.keys,
    from: { ...progress!, rules: ['SOMETHING_ELSE'] },
    save: ({ step }) => saved.push(step),
  })
  expect(saved[0]).toBe(1)
})
