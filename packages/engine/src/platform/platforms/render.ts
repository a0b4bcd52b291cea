import { toTimestamp } from '@corridor/kernel'
import type { PlatformConfig } from './contract.ts'
import type { Configuration } from './store.ts'

/** The configuration as its GET shows it (customers 2). */
export function renderConfig(
  config: Configuration,
  platform: { readonly isRegulated: boolean },
): PlatformConfig {
  const { webhookEndpoint, embeddedWalletConfig, cardTokenization2faConfig, settings } = config
  const [proxyUmaSubdomain = config.umaDomain] = config.umaDomain.split('.')
  return {
    id: config.id,
    umaDomain: config.umaDomain,
    proxyUmaSubdomain,
    ...(webhookEndpoint === null ? {} : { webhookEndpoint }),
    supportedCurrencies: config.supportedCurrencies.map((entry) => {
      const required = settings.providerRequiredCustomerFields?.[entry.currencyCode] ?? []
      return required.length === 0 ? entry : { ...entry, providerRequiredCustomerFields: required }
    }),
    isRegulatedFinancialInstitution: platform.isRegulated,
    ...(embeddedWalletConfig === null ? {} : { embeddedWalletConfig }),
    ...(cardTokenization2faConfig === null ? {} : { cardTokenization2faConfig }),
    feeConfigs: [...config.feeConfigs],
    collectsReceivables: config.collectsReceivables,
    createdAt: toTimestamp(config.createdAt),
    updatedAt: toTimestamp(config.updatedAt),
  }
}
