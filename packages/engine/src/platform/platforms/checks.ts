import { lowerAscii } from '@corridor/kernel'
import type { BodyCheck } from '../../mechanisms/feature/bound.ts'
import type { FieldProblem } from '../../vocabulary/errors.ts'
import { isDomainOfService, isHostName, isUmaDomain } from './host-name.ts'
import { isCurrencyOf } from './known-currencies.ts'
import { type Configuration, loadConfig } from './store.ts'

/** What the schema cannot say about a PATCH of the configuration (customers 2). */
export const checkConfigUpdate: BodyCheck = async (engine, scope, body) => {
  const { allowsPrivateEndpoints } = engine.adapters[scope.environment].rules
  return [
    ...checkDomain(body.umaDomain, engine.settings.baseUrl, allowsPrivateEndpoints),
    ...checkEndpoint(body.webhookEndpoint, allowsPrivateEndpoints),
    ...checkCurrencies(await loadConfig(engine.database, scope), body.supportedCurrencies),
    ...checkFees(body.feeConfigs),
  ]
}

function checkDomain(given: unknown, baseUrl: string, allowsOwnMachine: boolean): FieldProblem[] {
  if (typeof given !== 'string') return []
  const isAllowed = allowsOwnMachine ? isUmaDomain : isHostName
  const domain = lowerAscii(given)
  const field = 'umaDomain'
  if (!isAllowed(domain)) {
    return [{ field, message: 'is not a host name', constraint: { format: 'hostname' } }]
  }
  // Whoever has it would speak as the installation, or as the platform whose proxy subdomain it is.
  return isDomainOfService(domain, baseUrl) ? [{ field, message: 'belongs to this service' }] : []
}

function checkEndpoint(url: unknown, allowsHttp: boolean): FieldProblem[] {
  if (typeof url !== 'string') return []
  const schemes = allowsHttp ? ['https:', 'http:'] : ['https:']
  const parsed = URL.canParse(url) ? new URL(url) : undefined
  if (parsed && schemes.includes(parsed.protocol) && parsed.hostname !== '') return []
  return [
    {
      field: 'webhookEndpoint',
      message: `is not an absolute ${allowsHttp ? 'http or https' : 'https'} address: it must begin with ${allowsHttp ? 'http:// or https://' : 'https://'}`,
      constraint: { format: 'uri' },
    },
  ]
}

function checkCurrencies(config: Configuration, list: unknown): FieldProblem[] {
  if (!Array.isArray(list)) return []
  // A coin that was disabled since may stay.
  const stored = new Set(config.supportedCurrencies.map(({ currencyCode }) => currencyCode))
  const problems: FieldProblem[] = []
  const seen = new Set<string>()
  for (const [index, entry] of list.entries()) {
    if (typeof entry !== 'object' || entry === null) continue
    const { currencyCode, minAmount, maxAmount } = entry as Record<string, unknown>
    const at = `supportedCurrencies.${index}`
    if (typeof currencyCode === 'string') {
      if (!isCurrencyOf(config, currencyCode) && !stored.has(currencyCode)) {
        const message = 'is not a currency of the service'
        problems.push({ field: `${at}.currencyCode`, message, code: 'INVALID_CURRENCY' })
      } else if (seen.has(currencyCode)) {
        problems.push({ field: `${at}.currencyCode`, message: 'is already in the list' })
      }
      seen.add(currencyCode)
    }
    if (typeof minAmount === 'number' && typeof maxAmount === 'number' && minAmount > maxAmount) {
      problems.push({ field: `${at}.minAmount`, message: 'is greater than maxAmount' })
    }
    for (const [name, amount] of Object.entries({ minAmount, maxAmount })) {
      if (typeof amount === 'number' && amount > Number.MAX_SAFE_INTEGER) {
        problems.push({ field: `${at}.${name}`, message: 'is too large' })
      }
    }
  }
  return problems
}

/** Fees in other currencies than USD are refused later, with a status of their own. */
function checkFees(list: unknown): FieldProblem[] {
  if (!Array.isArray(list)) return []
  const problems: FieldProblem[] = []
  const seen = new Set<string>()
  for (const [index, entry] of list.entries()) {
    if (typeof entry !== 'object' || entry === null) continue
    const { feeType, sourceCurrency, fixedFee } = entry as Record<string, unknown>
    const key = `${feeType} ${sourceCurrency}`
    if (seen.has(key)) {
      const message = 'has the same feeType and sourceCurrency as an earlier entry'
      problems.push({ field: `feeConfigs.${index}`, message })
    }
    seen.add(key)
    const { currency, amount } = (fixedFee ?? {}) as Record<string, unknown>
    if (sourceCurrency === 'USD' && typeof currency === 'string' && currency !== sourceCurrency) {
      const field = `feeConfigs.${index}.fixedFee.currency`
      problems.push({ field, message: 'must equal sourceCurrency', constraint: { enum: [sourceCurrency] } })
    }
    if (typeof amount === 'number' && amount > Number.MAX_SAFE_INTEGER) {
      problems.push({ field: `feeConfigs.${index}.fixedFee.amount`, message: 'is too large' })
    }
  }
  return problems
}
