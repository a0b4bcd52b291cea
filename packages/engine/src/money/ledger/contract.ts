import Type, { type Static } from 'typebox'
import { type LedgerAccountKind, ledgerAccountKinds } from '../../mechanisms/ledger/chart.ts'
import { operation } from '../../vocabulary/operation.ts'
import { Currency, enumOf, listOf, nullable, paging, repeatable, timestamp } from '../../vocabulary/shapes.ts'

const tag = 'Internal Accounts'

const minor = (description: string) =>
  Type.String({
    pattern: '^-?\\d+$',
    description: `${description} Minor units; as text, so that it stays exact.`,
  })

const kinds = Object.keys(ledgerAccountKinds) as [LedgerAccountKind, ...LedgerAccountKind[]]

/** What comes and goes with one transaction is read with it. */
const listedKinds = kinds.filter((kind) => !['txn', 'refund', 'pfee'].includes(kind)) as typeof kinds

export const LedgerAccount = Type.Object(
  {
    id: Type.String({ description: 'Its kind and what it is of, with a colon between them.' }),
    kind: enumOf(kinds),
    meaning: Type.String({ description: 'What accounts of this kind are for.' }),
    owner: nullable(
      Type.String({ description: 'Whose it is: the resource that it is of; null for the service.' }),
    ),
    currency: Currency,
    debits: minor('All that was ever taken from it.'),
    credits: minor('All that ever came to it.'),
    held: minor('What is reserved of it.'),
    balance: minor('Credits less debits: positive is owed to whom it is of.'),
    rule: enumOf(['NOT_NEGATIVE', 'EITHER_SIGN'], {
      description: 'Whether its balance, less what is held, may fall below zero.',
    }),
    movedAt: timestamp({ description: 'When it last changed, on the clock of the environment.' }),
  },
  { $id: 'LedgerAccount' },
)
export type LedgerAccount = Static<typeof LedgerAccount>

const forWhom =
  'In production without the accounts of the service, such as its positions in currencies and its fees; in the sandbox with all.'

export const listLedgerAccounts = operation({
  id: 'listLedgerAccounts',
  method: 'GET',
  path: '/ledger/accounts',
  tag,
  summary: 'List the accounts of the ledger',
  description: `By kind, currency and id. Those of single transactions are left out: read them by their id, and their postings with \`GET /explain/{id}\`. ${forWhom}`,
  auth: 'basic',
  permissions: ['VIEW'],
  query: Type.Object({
    kind: Type.Optional(repeatable(enumOf(listedKinds))),
    currency: Type.Optional(
      repeatable(Type.String({ minLength: 1, maxLength: 12, description: 'With a `kind` alone.' })),
    ),
    owner: Type.Optional(
      repeatable(
        Type.String({
          minLength: 1,
          maxLength: 100,
          description: 'The resource that it is of; of a customer all internal accounts.',
        }),
      ),
    ),
    limit: paging.limit,
    cursor: paging.cursor,
  }),
  responses: { 200: listOf('LedgerAccountListResponse', LedgerAccount) },
  errors: [],
  extension: true,
})

const transferKinds = ['POSTED', 'PENDING', 'POST_PENDING', 'VOID_PENDING'] as const

export const LedgerJournal = Type.Object(
  {
    id: Type.String({ description: 'What it is of and its step, with a slash between them.' }),
    subjectId: Type.String({ description: 'The transaction or other thing that it is of.' }),
    step: Type.String({ description: 'What moved the money; a step of one thing posts once.' }),
    at: timestamp({ description: 'On the clock of the environment.' }),
    reverses: nullable(Type.String({ description: 'The journal that it takes back.' })),
    reversedBy: nullable(Type.String({ description: 'The journal that takes it back.' })),
    postings: Type.Array(
      Type.Object({
        id: Type.String(),
        kind: enumOf([...transferKinds], {
          description: 'POST_PENDING and VOID_PENDING end what was PENDING: it was taken, or let go.',
        }),
        from: Type.String({ description: 'The ledger account that is debited.' }),
        to: Type.String({ description: 'The ledger account that is credited.' }),
        amount: minor('What it moves.'),
        currency: Currency,
        ends: nullable(Type.String({ description: 'The pending posting that it ends.' })),
        endedBy: nullable(Type.String({ description: 'The posting that has ended it, of a pending one.' })),
      }),
      { description: 'In their order.' },
    ),
  },
  { $id: 'LedgerJournal' },
)
export type LedgerJournal = Static<typeof LedgerJournal>

/** Of a list: each has a few dozen places where postings may be. */
export const mostSubjects = 50

export const listLedgerJournals = operation({
  id: 'listLedgerJournals',
  method: 'GET',
  path: '/ledger/journals',
  tag,
  summary: 'List the journals of payments',
  description: `What moved the money of these transactions or items in suspense: of each at most one journal for a step, in the order in which they were posted. At most ${mostSubjects} at a time.`,
  auth: 'basic',
  permissions: ['VIEW'],
  query: Type.Object({
    subjectId: repeatable(
      Type.String({ minLength: 1, maxLength: 100, description: 'A transaction or an item in suspense.' }),
    ),
  }),
  responses: {
    200: Type.Object({ data: Type.Array(LedgerJournal) }, { $id: 'LedgerJournalListResponse' }),
  },
  errors: [],
  extension: true,
})

export const getLedgerJournal = operation({
  id: 'getLedgerJournal',
  method: 'GET',
  path: '/ledger/journals/{journalId}',
  tag,
  summary: 'Read a journal with its postings',
  auth: 'basic',
  permissions: ['VIEW'],
  params: Type.Object({ journalId: Type.String() }),
  responses: { 200: LedgerJournal },
  errors: ['REFERENCE_NOT_FOUND'],
  extension: true,
})

export const getLedgerAccount = operation({
  id: 'getLedgerAccount',
  method: 'GET',
  path: '/ledger/accounts/{ledgerAccountId}',
  tag,
  summary: 'Read an account of the ledger',
  description: forWhom,
  auth: 'basic',
  permissions: ['VIEW'],
  params: Type.Object({ ledgerAccountId: Type.String() }),
  responses: { 200: LedgerAccount },
  errors: ['REFERENCE_NOT_FOUND'],
  extension: true,
})

const FirstBadPosting = Type.Object(
  {
    id: Type.String({ description: 'Its journal, and its number there behind a slash.' }),
    at: timestamp({ description: 'When it was posted, on the clock of the environment.' }),
  },
  {
    description:
      'Where it begins: the posting that took the account below zero, the first that its balance does not know of, or the first whose money has not left since. Absent where no posting can be named, as where a balance was changed without one.',
  },
)

export const LedgerAudit = Type.Object(
  {
    status: enumOf(['SOUND', 'UNSOUND', 'RUNNING'], {
      description: 'RUNNING: the first one is under way; ask again.',
    }),
    checkedAt: nullable(timestamp({ description: 'When what it says was so; null while the first runs.' })),
    milliseconds: nullable(Type.Integer({ minimum: 0, description: 'How long it took.' })),
    checkedAccounts: Type.Integer({ minimum: 0 }),
    checkedTransfers: Type.Integer({ minimum: 0 }),
    checkedCurrencies: Type.Integer({ minimum: 0, description: 'Each of them is to sum to 0.' }),
    problems: Type.Array(
      Type.Object({
        rule: enumOf([
          'CURRENCY_UNBALANCED',
          'NEGATIVE_BALANCE',
          'BALANCE_DIFFERS_FROM_TRANSFERS',
          'TRANSACTION_NOT_EMPTIED',
          'MINTED_NOT_IN_RESERVE',
          'OWNER_WITHOUT_RECORD',
        ]),
        subject: Type.String({ description: 'The ledger account, the currency or the stablecoin.' }),
        found: Type.String(),
        expected: Type.String(),
        firstBadPosting: Type.Optional(FirstBadPosting),
      }),
      { description: 'At most 100 of each rule.' },
    ),
  },
  { $id: 'LedgerAudit' },
)
export type LedgerAudit = Static<typeof LedgerAudit>

export const auditLedgerOfBook = operation({
  id: 'auditOwnLedger',
  method: 'GET',
  path: '/ledger/audit',
  tag,
  summary: 'Recompute the ledger',
  description:
    'Whether all that was debited was credited, no guarded account owes, every balance is what its transfers come to, and finished transactions hold nothing. It reads every transfer: the verdict of before is repeated for at least five seconds, and for twenty times as long as it took.',
  auth: 'basic',
  permissions: ['VIEW'],
  responses: { 200: LedgerAudit },
  errors: [],
  extension: true,
})
