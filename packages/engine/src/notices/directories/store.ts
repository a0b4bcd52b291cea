import type { Database } from '../../mechanisms/db/database.ts'
import { statement } from '../../mechanisms/db/driver.ts'
import type { Environment } from '../../vocabulary/scope.ts'

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
