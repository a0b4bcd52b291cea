import { toTimestamp } from '@corridor/kernel'
import type { Engine } from '../../mechanisms/feature/engine.ts'
import { currencies } from '../../reference/currencies/index.ts'
import type { Row } from '../../vocabulary/decision.ts'
import type { Book } from '../../vocabulary/scope.ts'
import { openAccounts, platformOwner } from '../internal-accounts/index.ts'
import type { PlatformConfig } from './contract.ts'
import { defaultCurrencyConfigs } from './currency-limits.ts'

/**
 * What a book starts with: its configuration with every currency the service supports, and the
 * platform's own account in each of them (customers 2, accounts 3.1). All but the domain is known before the
 * transaction that writes it.
 */
export async function initialConfiguration(
  engine: Pick<Engine, 'world' | 'adapters'>,
  book: Book,
): Promise<(umaDomain: string) => { table: string; rows: Row[] }[]> {
  const now = engine.world.now()
  const at = toTimestamp(now)
  const supported: PlatformConfig['supportedCurrencies'] = defaultCurrencyConfigs()
  const accounts = await openAccounts(engine, book.environment, {
    ownerId: platformOwner,
    currencies: currencies.map(({ code }) => code),
    now,
  })
  return (umaDomain) => [
    {
      table: 'platform_configs',
      rows: [
        {
          id: `PlatformConfig:${book.platformId}`,
          uma_domain: umaDomain,
          supported_currencies: supported,
          created_at: at,
          updated_at: at,
        },
      ],
    },
    { table: 'internal_accounts', rows: accounts.map(({ row }) => row) },
  ]
}
