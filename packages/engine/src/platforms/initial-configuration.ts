import { toTimestamp } from '@corridor/kernel'
import { currencies } from '../currencies/index.ts'
import type { Row } from '../db/decision.ts'
import type { Engine } from '../engine.ts'
import type { Book } from '../http/scope.ts'
import { openAccounts, platformOwner } from '../internal-accounts/index.ts'
import type { PlatformConfig } from './contract.ts'
import { defaultCurrencyConfigs } from './currency-limits.ts'

/**
 * What a book starts with: its configuration with every currency the service supports, and the
 * platform's own account in each of them (customers 2, accounts 3.1).
 */
export function initialConfiguration(
  engine: Pick<Engine, 'world' | 'adapters'>,
  book: Book,
  umaDomain: string,
): { table: string; rows: Row[] }[] {
  const { world } = engine
  const now = world.now()
  const at = toTimestamp(now)
  const supported: PlatformConfig['supportedCurrencies'] = defaultCurrencyConfigs()
  const accounts = openAccounts(world, {
    ownerId: platformOwner,
    currencies: currencies.map(({ code }) => code),
    now,
    status: engine.adapters[book.environment].rules.newInternalAccountStatus,
  })
  return [
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
