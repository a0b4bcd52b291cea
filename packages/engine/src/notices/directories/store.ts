import type { Database } from '../../mechanisms/db/database.ts'
import { statement } from '../../mechanisms/db/driver.ts'
import type { Book, Environment } from '../../vocabulary/scope.ts'

/** A platform of this installation as others see it: its name, its UMA domain, what it can be sent. */
export interface HostedProvider {
  readonly name: string
  readonly domain: string
  readonly currencies: readonly string[]
}

const listHosted = statement(
  'directories.listHosted',
  `select p.name, c.uma_domain as domain,
     array(select s.value ->> 'currencyCode' from jsonb_array_elements(c.supported_currencies) s
           where s.value -> 'enabledTransactionTypes' ? 'INCOMING') as currencies
   from platform_configs c join platforms p on p.id = c.platform_id
   where c.environment = $1`,
)

/** Every platform of an environment. Spans books on purpose: it is what makes them reach each other. */
export async function listHostedProviders(
  database: Database,
  environment: Environment,
): Promise<HostedProvider[]> {
  return database.system((connection) => connection.query<HostedProvider>(listHosted, [environment]))
}

const listListed = statement(
  'directories.listListed',
  `select peer ->> 'domain' as domain, coalesce((peer ->> 'isBlocked')::boolean, false) as "isBlocked"
   from books b cross join lateral jsonb_array_elements(coalesce(b.settings -> 'umaPeers', '[]')) peer
   where b.platform_id = $1 and b.environment = $2`,
)

/** An institution that the operator lists for a platform, to be paid or kept away from. */
export interface ListedProvider {
  readonly domain: string
  readonly isBlocked: boolean
}

export async function listListedProviders(database: Database, book: Book): Promise<ListedProvider[]> {
  return database.system((connection) =>
    connection.query<ListedProvider>(listListed, [book.platformId, book.environment]),
  )
}
