import { type Instant, toTimestamp } from '@corridor/kernel'
import type { Database } from '../../mechanisms/db/database.ts'
import { statement } from '../../mechanisms/db/driver.ts'
import type { Book } from '../../vocabulary/scope.ts'
import type { Currency } from '../../vocabulary/shapes.ts'
import { type JournalStep, journalSteps } from '../payments/index.ts'
import type { LedgerJournal } from './contract.ts'

/** A transfer of the ledger as it was posted. */
export interface PostingRow {
  readonly id: string
  readonly kind: 'POSTED' | 'PENDING' | 'POST_PENDING' | 'VOID_PENDING'
  readonly from: string
  readonly to: string
  readonly currency: string
  readonly amountMinor: bigint
  /** Of the accounts themselves. */
  readonly fromCurrency: string | null
  readonly toCurrency: string | null
  readonly pendingId: string | null
  /** What has ended a pending one. */
  readonly endedBy: string | null
  readonly createdAt: Instant
}

/** More than any journal has. */
const mostPostings = 12

const postings = statement(
  'ledger.postings',
  `select t.id, t.kind, t.debit_account as "from", t.credit_account as "to", t.currency, t.amount as "amountMinor",
     (select a.currency from ledger_accounts a where a.platform_id = $1 and a.environment = $2
        and a.id = t.debit_account) as "fromCurrency",
     (select a.currency from ledger_accounts a where a.platform_id = $1 and a.environment = $2
        and a.id = t.credit_account) as "toCurrency",
     t.pending_id as "pendingId",
     case when t.kind = 'PENDING' then (
       select e.id from ledger_transfers e where e.platform_id = $1 and e.environment = $2 and e.pending_id = t.id
     ) end as "endedBy",
     t.created_at as "createdAt"
   from ledger_transfers t where t.platform_id = $1 and t.environment = $2 and t.id = any($3::text[])`,
)

/**
 * All postings of these transactions and items in suspense. They are found by the ids that steps give them: the order of
 * texts depends on the database, so a range of ids would not find them everywhere.
 */
export function loadPostings(
  database: Database,
  book: Book,
  subjectIds: readonly string[],
): Promise<PostingRow[]> {
  const ids = subjectIds.flatMap((subject) =>
    journalSteps.flatMap((step) =>
      Array.from({ length: mostPostings }, (_, index) => `${subject}/${step}/${index}`),
    ),
  )
  return database.read<PostingRow>(book, postings, [book.platformId, book.environment, ids])
}

export interface StepOfPosting {
  readonly subjectId: string
  readonly step: JournalStep
  readonly index: number
}

/** What the id of a posting says. */
export function stepOf({ id }: Pick<PostingRow, 'id'>): StepOfPosting {
  const [subjectId, step, index] = id.split('/')
  // They were looked for by these steps.
  return { subjectId: subjectId!, step: step as JournalStep, index: Number(index) }
}

/** In the order in which it was posted: of what posts at one moment, what begins comes before what ends. */
export function inOrder<P extends Pick<PostingRow, 'id' | 'createdAt'>>(rows: readonly P[]): P[] {
  const order = (row: P) => journalSteps.indexOf(stepOf(row).step)
  return [...rows].sort(
    (a, b) => a.createdAt - b.createdAt || order(a) - order(b) || stepOf(a).index - stepOf(b).index,
  )
}

/** A step whose postings are those of another the other way round. The end of a hold says by itself what it ends. */
const takesBack: Partial<Record<JournalStep, JournalStep>> = { unwind: 'convert', return: 'deliver' }

/** The journals of these postings, which are all of their subjects. */
export function journalsOf(
  rows: readonly PostingRow[],
  currencyOf: (code: string) => Currency,
): LedgerJournal[] {
  const ids = new Set(rows.map((row) => journalIdOf(row)))
  const journals = new Map<string, LedgerJournal>()
  for (const row of inOrder(rows)) {
    const { subjectId, step } = stepOf(row)
    const id = journalIdOf(row)
    const journal: LedgerJournal = journals.get(id) ?? {
      ...{ id, subjectId, step, at: toTimestamp(row.createdAt) },
      reverses: null,
      reversedBy: null,
      postings: [],
    }
    journals.set(id, journal)
    const before = takesBack[step]
    if (row.kind === 'VOID_PENDING') journal.reverses = journalIdOf({ id: row.pendingId! })
    else if (before && ids.has(`${subjectId}/${before}`)) journal.reverses = `${subjectId}/${before}`
    journal.postings.push({
      ...{ id: row.id, kind: row.kind, from: row.from, to: row.to },
      amount: `${row.amountMinor}`,
      currency: currencyOf(row.currency),
      ends: row.pendingId,
      endedBy: row.endedBy,
    })
  }
  for (const { id, reverses } of journals.values()) {
    const reversed = reverses === null ? undefined : journals.get(reverses)
    if (reversed) reversed.reversedBy = id
  }
  return [...journals.values()]
}

function journalIdOf(posting: Pick<PostingRow, 'id'>): string {
  const { subjectId, step } = stepOf(posting)
  return `${subjectId}/${step}`
}
