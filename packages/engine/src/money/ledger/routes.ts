import { failed, ok, toTimestamp } from '@corridor/kernel'
import { route } from '../../mechanisms/feature/bound.ts'
import { ledgerAccountKind, ledgerAccountKinds } from '../../mechanisms/ledger/chart.ts'
import { readPage, toPage } from '../../mechanisms/lists/pages.ts'
import { toCurrency } from '../../reference/currencies/index.ts'
import { fail, failFields } from '../../vocabulary/errors.ts'
import {
  auditLedgerOfBook,
  getLedgerAccount,
  getLedgerJournal,
  type LedgerAccount,
  type LedgerAudit,
  listLedgerAccounts,
  listLedgerJournals,
  mostSubjects,
} from './contract.ts'
import { journalsOf, loadPostings } from './journals.ts'
import { type LedgerAccountRow, type LedgerPlace, listAccounts, loadAccount } from './store.ts'
import { type Verdict, verdictOn } from './verdicts.ts'

const listName = 'ledger accounts'

export const ledgerRoutes = [
  route(listLedgerAccounts, async (engine, { scope, query }) => {
    const { limit: _limit, cursor: _cursor, ...filters } = query
    if (filters.currency !== undefined && filters.kind === undefined) {
      return failed(failFields([{ field: 'kind', message: 'is required with currency' }]))
    }
    const page = readPage(engine.keys, scope, listName, { ...query, sortOrder: 'asc' }, filters)
    if (!page.ok) return page
    const { limit, after } = page.value
    const { showsServiceAccounts: ofService } = engine.adapters[scope.environment].rules
    const { rows, totalCount } = await listAccounts(engine.database, scope, filters, {
      ofService,
      limit,
      after: after ? placeOf(after.id) : undefined,
    })
    const placed = rows.map((row) => ({ id: placeText(row), createdAt: 0, row }))
    const body = toPage(engine.keys, scope, listName, page.value, filters, placed, totalCount, ({ row }) =>
      render(row),
    )
    return ok({ status: 200, body })
  }),

  route(getLedgerAccount, async (engine, { scope, params: { ledgerAccountId: id } }) => {
    const row = await loadAccount(engine.database, scope, id)
    const { showsServiceAccounts } = engine.adapters[scope.environment].rules
    const isHidden = !showsServiceAccounts && row && ledgerAccountKinds[ledgerAccountKind(id)].isOfService
    return row && !isHidden
      ? ok({ status: 200, body: render(row) })
      : failed(fail('REFERENCE_NOT_FOUND', { resourceType: 'LedgerAccount', id }))
  }),

  route(listLedgerJournals, async (engine, { scope, query: { subjectId } }) => {
    if (subjectId.length > mostSubjects) {
      return failed(
        failFields([{ field: 'subjectId', message: `must not be given more than ${mostSubjects} times` }]),
      )
    }
    const rows = await loadPostings(engine.database, scope, subjectId)
    return ok({ status: 200, body: { data: journalsOf(rows, currencyOf) } })
  }),

  route(getLedgerJournal, async (engine, { scope, params: { journalId: id } }) => {
    // All of its subject: what reverses it is another one.
    const subjectId = id.slice(0, Math.max(0, id.indexOf('/')))
    const rows = subjectId === '' ? [] : await loadPostings(engine.database, scope, [subjectId])
    const journal = journalsOf(rows, currencyOf).find((each) => each.id === id)
    return journal
      ? ok({ status: 200, body: journal })
      : failed(fail('REFERENCE_NOT_FOUND', { resourceType: 'LedgerJournal', id }))
  }),

  route(auditLedgerOfBook, async (engine, { scope }) => {
    const verdict = await verdictOn(engine, scope)
    return ok({ status: 200, body: renderVerdict(verdict) })
  }),
]

/** A cursor holds one text; the symbol of a stablecoin may be any, spaces included. */
const placeText = ({ currency, id }: LedgerPlace) => JSON.stringify([currency, id])

function placeOf(text: string): LedgerPlace {
  const [currency, id] = JSON.parse(text) as [string, string]
  return { currency, id }
}

/** What the mirrors of the Lightning node and of peers are kept in; no amount of the API is. */
const millisatoshi = { code: 'MSAT', name: 'Millisatoshi', symbol: 'msat', decimals: 0 }

/** A coin that is registered only may bear any symbol, also that of a currency: its units are its own. */
function currencyOfAccount({ currency: code, coinDecimals: decimals }: LedgerAccountRow) {
  if (decimals !== null) return { code, name: code, symbol: code, decimals }
  return currencyOf(code)
}

const currencyOf = (code: string) => (code === 'MSAT' ? millisatoshi : toCurrency(code))

function render(row: LedgerAccountRow): LedgerAccount {
  const kind = ledgerAccountKind(row.id)
  return {
    id: row.id,
    kind,
    meaning: ledgerAccountKinds[kind].meaning,
    owner: ownerOf(row.id),
    currency: currencyOfAccount(row),
    debits: `${row.debitsMinor}`,
    credits: `${row.creditsMinor}`,
    held: `${row.heldMinor}`,
    balance: `${row.creditsMinor - row.debitsMinor}`,
    rule: row.mustNotGoNegative ? 'NOT_NEGATIVE' : 'EITHER_SIGN',
    movedAt: toTimestamp(row.movedAt),
  }
}

/** Behind the kind stands the resource that an account is of, unless it is one of the service. */
function ownerOf(accountId: string): string | null {
  return /^[a-z]+:([A-Za-z]+:[0-9a-f]{8}-[0-9a-f-]{27})(?::|$)/.exec(accountId)?.[1] ?? null
}

function renderVerdict(verdict: Verdict | undefined): LedgerAudit {
  if (!verdict) {
    return {
      status: 'RUNNING',
      checkedAt: null,
      milliseconds: null,
      checkedAccounts: 0,
      checkedTransfers: 0,
      checkedCurrencies: 0,
      problems: [],
    }
  }
  return {
    status: verdict.sound ? 'SOUND' : 'UNSOUND',
    checkedAt: toTimestamp(verdict.checkedAt),
    milliseconds: verdict.milliseconds,
    checkedAccounts: verdict.checkedAccounts,
    checkedTransfers: verdict.checkedTransfers,
    checkedCurrencies: verdict.checkedCurrencies,
    problems: verdict.problems.map(({ rule, subject, found, expected, firstBadPosting: first }) => ({
      rule,
      subject,
      found,
      expected,
      ...(first ? { firstBadPosting: { id: first.id, at: toTimestamp(first.at) } } : {}),
    })),
  }
}
