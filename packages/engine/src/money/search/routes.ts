import { failed, ok, toTimestamp } from '@corridor/kernel'
import { route } from '../../mechanisms/feature/bound.ts'
import type { Engine } from '../../mechanisms/feature/engine.ts'
import { customerName, hashesOfTexts, loadCustomer } from '../../people/customers/index.ts'
import { accountTypeOf } from '../../reference/account-types/index.ts'
import { isInAreas } from '../../vocabulary/areas.ts'
import { failFields } from '../../vocabulary/errors.ts'
import type { Scope } from '../../vocabulary/scope.ts'
import { endingLength, loadExternalAccounts, searchHashesOf } from '../external-accounts/index.ts'
import { loadQuotes, quoteStatusOf } from '../quotes/index.ts'
import { mostMatches, resourceTypes, search } from './contract.ts'
import { kinds } from './kinds.ts'
import { type Asked, arrange, ranks, readAsked } from './rules.ts'
import { type FoundRow, find, type Hashes } from './store.ts'

/** What is shorter is hardly the id of a request that was made a moment ago: nobody waits for the log to be written. */
const shortestRequestId = 8

export const searchRoutes = [
  route(search, async (engine, { scope, query: { q } }) => {
    const asked = readAsked(q)
    if (asked.text === '') return failed(failFields([{ field: 'q', message: 'is blank' }]))
    const types = resourceTypes.filter((type) => isInAreas(scope.actor.limits?.areas, kinds[type].tag))
    // What was answered before the question is found.
    if (types.includes('Request') && asked.text.length >= shortestRequestId) await engine.requestLog.flush()
    const rows = await find(engine.database, scope, types, asked, hashesOf(engine, scope, asked))
    const found = rows.map((row) => ({
      rank: row.resourceId === asked.id ? ranks.id : row.rank,
      match: told(row),
    }))
    const { data, isCut } = arrange(found, mostMatches)
    const opened = await openedOf(engine, scope, data)
    const whole = data.map((match) => ({ ...match, ...opened.get(match.resourceId) }))
    return ok({ status: 200, body: { data: whole, isCut } })
  }),
]

/** Names and numbers are sealed, and found by the hashes that were kept of them. */
function hashesOf({ keys }: Engine, scope: Scope, asked: Asked): Hashes {
  const { email_hash, phone_hash, name_hash } = hashesOfTexts({ keys, book: scope }, asked)
  const { accountNumber, accountEnding } = asked
  return {
    email: email_hash,
    phone: phone_hash,
    name: name_hash,
    number: accountNumber ? searchHashesOf(keys, scope, accountNumber).number_hash : null,
    ending: accountEnding ? searchHashesOf(keys, scope, accountEnding).ending_hash : null,
  }
}

function told({ resourceType, resourceId, matched, status, createdAt, facts }: FoundRow) {
  const { title, detail } = kinds[resourceType].say(facts)
  return {
    resourceType,
    resourceId,
    title,
    detail,
    matched,
    ...(status === null ? {} : { status }),
    createdAt: toTimestamp(createdAt),
  }
}

type Shown = ReturnType<typeof told>

/** What of those that are shown stands in no column: sealed names and numbers, and the status of a quote, which follows. */
async function openedOf(
  engine: Engine,
  scope: Scope,
  shown: readonly Shown[],
): Promise<ReadonlyMap<string, Partial<Shown>>> {
  const idsOf = (type: Shown['resourceType']) =>
    shown.filter(({ resourceType }) => resourceType === type).map(({ resourceId }) => resourceId)
  const [accountIds, quoteIds] = [idsOf('ExternalAccount'), idsOf('Quote')]
  const [customers, accounts, quotes] = await Promise.all([
    Promise.all(idsOf('Customer').map((id) => loadCustomer(engine, scope, id))),
    accountIds.length > 0 ? loadExternalAccounts(engine, scope, accountIds) : [],
    quoteIds.length > 0 ? loadQuotes(engine, scope, quoteIds) : [],
  ])
  const opened = new Map<string, Partial<Shown>>()
  for (const customer of customers) {
    const title = customer && customerName(customer)
    if (title) opened.set(customer.id, { title })
  }
  for (const { id, currency, accountInfo } of accounts) {
    // Of one whose owner was erased meanwhile nothing is left but its type.
    if (Object.keys(accountInfo).length < 2) continue
    const number = accountTypeOf(accountInfo).primaryId(accountInfo)
    opened.set(id, { title: `${currency} •••• ${number.slice(-endingLength)}` })
  }
  for (const quote of quotes) opened.set(quote.id, { status: quoteStatusOf(quote, scope.now) })
  return opened
}
