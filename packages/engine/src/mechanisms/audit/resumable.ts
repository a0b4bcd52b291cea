import type { Database } from '../db/database.ts'
import type { Keys } from '../keys/keys.ts'
import {
  type AuditReport,
  type AuditStep,
  atOneMoment,
  auditSteps,
  countLedgers,
  waitForTurn,
} from './audit.ts'
import { findFirstBadPostings } from './first-bad-posting.ts'
import type { PostingKey } from './owner-records.ts'

/**
 * Progress of a full audit, which checks one rule after the other. The caller stores it, and an interrupted audit continues with
 * the rule, or the part of the postings, that it had reached. It writes nothing to the database, so it also runs on a replica.
 */
export interface AuditProgress {
  /** Another release may have other rules: its audit starts from the beginning. */
  readonly rules: readonly string[]
  /** Number of rules that are finished. */
  readonly step: number
  /** Last posting that the next rule has read. */
  readonly place?: PostingKey
  readonly problems: AuditReport['problems']
  readonly checkedEntries: number
}

interface Run {
  readonly keys?: Pick<Keys, 'tag'> | undefined
  /** Where an earlier run was interrupted. */
  readonly from?: AuditProgress | undefined
  /** Called after each rule and each part of one. */
  readonly save: (progress: AuditProgress) => unknown
}

const problemsPerRule = 100

export async function auditInSteps(database: Database, { keys, from, save }: Run): Promise<AuditReport> {
  const steps = auditSteps(keys)
  let progress = goesOn(from, steps) ?? {
    rules: steps.map(({ rule }) => rule),
    step: 0,
    problems: [],
    checkedEntries: 0,
  }
  for (let step = steps[progress.step]; step; step = steps[progress.step]) {
    progress = await take(database, step, progress)
    await save(progress)
  }
  const { accounts, transfers, currencies } = await atOneMoment(database, countLedgers)
  const { problems, checkedEntries } = progress
  return {
    sound: problems.length === 0,
    checkedAccounts: accounts,
    checkedTransfers: transfers,
    checkedCurrencies: currencies,
    checkedAuditEntries: checkedEntries,
    problems,
  }
}

/** The progress of an interrupted run, if it was one of these rules. */
export function goesOn(
  from: AuditProgress | undefined,
  steps: readonly Pick<AuditStep, 'rule'>[] = auditSteps(),
): AuditProgress | undefined {
  const isSame =
    from?.rules.length === steps.length && steps.every(({ rule }, index) => rule === from.rules[index])
  return isSame ? from : undefined
}

async function take(
  database: Database,
  { rule, find }: AuditStep,
  { place: before, ...progress }: AuditProgress,
): Promise<AuditProgress> {
  return atOneMoment(database, async (connection) => {
    await connection.query(waitForTurn)
    const { problems: found, place, checkedEntries = 0 } = await find(connection, before)
    // A rule that is taken in parts lists its first findings alone.
    const known = progress.problems.filter((problem) => problem.rule === rule).length
    const problems = found.slice(0, Math.max(0, problemsPerRule - known))
    const firstOf = await findFirstBadPostings(connection, problems)
    return {
      ...progress,
      step: place ? progress.step : progress.step + 1,
      ...(place ? { place } : {}),
      problems: [
        ...progress.problems,
        ...problems.map((problem) => {
          const firstBadPosting = firstOf(problem)
          return firstBadPosting ? { ...problem, firstBadPosting } : problem
        }),
      ],
      checkedEntries: progress.checkedEntries + checkedEntries,
    }
  })
}
