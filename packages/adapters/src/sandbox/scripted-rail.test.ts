import { rails } from '@corridor/engine/reference/rails/index.ts'
import { runRailContract } from '@corridor/testkit/rail-contract.ts'
import { expect, test } from 'vitest'
import { magicSuffix, outcomeOf, quoteOutcomes, transferOutcomes } from './outcomes.ts'
import { scriptedRail } from './scripted-rail.ts'

const client = scriptedRail({ stepMs: 50 })
const account = (suffix: string) => `DE8937040044053201300${suffix}`
const refusedBy = (table: typeof quoteOutcomes) => outcomeOf(table, account('002')).refusedAs!
const failureOf = (table: typeof quoteOutcomes, suffix: string) => outcomeOf(table, account(suffix)).failsAs!

for (const rail of rails) {
  runRailContract({
    rail,
    client,
    payouts: {
      settles: account('999'),
      settlesLater: account('003'),
      refused: { primaryId: account('002'), reason: refusedBy(quoteOutcomes) },
      fails: { primaryId: account('004'), reason: failureOf(quoteOutcomes, '004') },
      returns: account('005'),
      cancelled: account('006'),
    },
    pulls: {
      settles: account('999'),
      refused: { primaryId: account('003'), reason: 'ACCOUNT_INVALID' },
      fails: { primaryId: account('005'), reason: failureOf(transferOutcomes, '005') },
    },
  })
}

test.each([
  ['DE89370400440532013002', '002'],
  ['lia.004@mail.example', '004'],
  ['asha.005@upi', '005'],
  ['amina@wallet002', ''],
  ['amina@wallet.example', ''],
  [`0x${'a'.repeat(37)}007`, '007'],
  [`0x${'a'.repeat(38)}07`, ''],
  ['02', ''],
])('the magic ending of %s is "%s" (accounts 12.2)', (primaryId, suffix) => {
  expect(magicSuffix(primaryId)).toBe(suffix)
})
