import Type, { type Static } from 'typebox'
import { type LedgerAccountKind, ledgerAccountKinds } from '../../mechanisms/ledger/chart.ts'
import { operation } from '../../vocabulary/operation.ts'
import { Currency, enumOf, listOf, nullable, paging, repeatable, timestamp } from '../../vocabulary/shapes.ts'

const tag = 'Internal Accounts'

const minor = (description: string) =>
  Type.String({
    pattern: '^-?\\d+$',
    description: `${description} In minor units, as a string to keep the value exact.`,
  })

const kinds = Object.keys(ledgerAccountKinds) as [LedgerAccountKind, ...LedgerAccountKind[]]

/** What comes and goes with one transaction is read with it. */
const listedKinds = kinds.filter((kind) => !['txn', 'refund', 'pfee'].includes(kind)) as typeof kinds

export const LedgerAccount = Type.Object(
  {
    id: Type.String({ description: 'Kind and subject, separated by a colon.' }),
    kind: enumOf(kinds),
    meaning: Type.String({ description: 'Purpose of accounts of this kind.' }),
    owner: nullable(
      Type.String({ description: 'Resource that the account belongs to. Null for accounts of the service.' }),
    ),
    currency: Currency,
    debits: minor('Sum of all debits.'),
    credits: minor('Sum of all credits.'),
    held: minor('Reserved amount.'),
    balance: minor('Credits minus debits. A positive balance is owed to the owner.'),
    rule: enumOf(['NOT_NEGATIVE', 'EITHER_SIGN'], {
      description:
        'With NOT_NEGATIVE, the balance minus reservations cannot fall below zero. With EITHER_SIGN, it can.',
    }),
    movedAt: timestamp({ description: 'Last change, on the clock of the environment.' }),
  },
  { $id: 'LedgerAccount' },
)
export type LedgerAccount = Static<typeof LedgerAccount>

const forWhom =
  'In production, the response excludes accounts of the service, such as currency positions and fees. In the sandbox, the response contains all accounts.'

export const listLedgerAccounts = operation({
  id: 'listLedgerAccounts',
  method: 'GET',
  path: '/ledger/accounts',
  tag,
  summary: 'List ledger accounts',
  description: `Returns accounts sorted by kind, currency and id. The list omits accounts of single transactions. Read those by id, and their postings with \`GET /explain/{id}\`. ${forWhom}`,
  auth: 'basic',
  permissions: ['VIEW'],
  query: Type.Object({
    kind: Type.Optional(repeatable(enumOf(listedKinds))),
    currency: Type.Optional(
      repeatable(
        Type.String({
          minLength: 1,
          maxLength: 12,
          description: 'Use this parameter only together with `kind`.',
        }),
      ),
    ),
    owner: Type.Optional(
      repeatable(
        Type.String({
          minLength: 1,
          maxLength: 100,
          description:
            'Resource that the account belongs to. A customer id matches all internal accounts of the customer.',
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
    id: Type.String({ description: 'Subject and step, separated by a slash.' }),
    subjectId: Type.String({ description: 'Transaction or other resource.' }),
    step: Type.String({ description: 'Step that moved the money. Each step of a subject posts only once.' }),
    at: timestamp({ description: 'Time on the clock of the environment.' }),
    reverses: nullable(Type.String({ description: 'Id of the journal that this journal reverses.' })),
    reversedBy: nullable(Type.String({ description: 'Id of the journal that reverses this journal.' })),
    postings: Type.Array(
      Type.Object({
        id: Type.String(),
        kind: enumOf([...transferKinds], {
          description: 'POST_PENDING posts a PENDING amount, and VOID_PENDING releases the amount.',
        }),
        from: Type.String({ description: 'Debited ledger account.' }),
        to: Type.String({ description: 'Credited ledger account.' }),
        amount: minor('Amount of the posting.'),
        currency: Currency,
        ends: nullable(Type.String({ description: 'Pending posting that this posting posts or voids.' })),
        endedBy: nullable(Type.String({ description: 'Posting that ended this pending posting.' })),
      }),
      { description: 'Postings in the order in which they were made.' },
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
  summary: 'List journals of payments',
  description: `Returns the journals of transactions, suspense items or receivables in posting order, with at most one journal per step. Send at most ${mostSubjects} subjects per request.`,
  auth: 'basic',
  permissions: ['VIEW'],
  query: Type.Object({
    subjectId: repeatable(
      Type.String({
        minLength: 1,
        maxLength: 100,
        description: 'Id of a transaction, suspense item or receivable.',
      }),
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
  summary: 'Read a ledger account',
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
    id: Type.String({ description: 'Journal and number of the posting in it, separated by a slash.' }),
    at: timestamp({ description: 'Posting time, on the clock of the environment.' }),
  },
  {
    description:
      'First posting with the problem. This posting made the balance negative, is not included in the balance, or left money in an account that should be empty. Absent if no posting caused the problem, for example if only the balance was changed.',
  },
)

export const LedgerAudit = Type.Object(
  {
    status: enumOf(['SOUND', 'UNSOUND', 'RUNNING'], {
      description: 'If the status is RUNNING, the first audit is in progress. Send the request again later.',
    }),
    checkedAt: nullable(
      timestamp({ description: 'Time to which the result refers. Null during the first audit.' }),
    ),
    milliseconds: nullable(Type.Integer({ minimum: 0, description: 'Duration of the audit.' })),
    checkedAccounts: Type.Integer({ minimum: 0 }),
    checkedTransfers: Type.Integer({ minimum: 0 }),
    checkedCurrencies: Type.Integer({
      minimum: 0,
      description: 'The entries of each currency must sum to 0.',
    }),
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
        subject: Type.String({ description: 'Ledger account, currency or stablecoin with the problem.' }),
        found: Type.String(),
        expected: Type.String(),
        firstBadPosting: Type.Optional(FirstBadPosting),
      }),
      { description: 'Problems that the audit found, at most 100 for each rule.' },
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
  summary: 'Audit the ledger',
  description:
    'Checks that debits equal credits, that no protected account is negative, that every balance equals the sum of its transfers, and that finished transactions hold no money. The audit reads every transfer. Corridor reuses the result for five seconds or twenty times the duration of the audit, whichever is longer.',
  auth: 'basic',
  permissions: ['VIEW'],
  responses: { 200: LedgerAudit },
  errors: [],
  extension: true,
})
