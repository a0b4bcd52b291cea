import { t } from '../../language/t.ts'

/** What of the configuration can be changed here: text as it is, the rest as JSON. */
export const editable = [
  { name: 'webhookEndpoint', label: t('Webhook endpoint'), isText: true },
  { name: 'umaDomain', label: t('UMA domain'), isText: true },
  { name: 'supportedCurrencies', label: t('Currencies, as JSON'), isText: false },
  { name: 'feeConfigs', label: t('Fees, as JSON'), isText: false },
  { name: 'embeddedWalletConfig', label: t('Embedded wallets, as JSON'), isText: false },
  { name: 'cardTokenization2faConfig', label: t('Codes for cards in phones, as JSON'), isText: false },
] as const

export type Changes = Readonly<Record<string, unknown>>

/** Members that the service sets, which it does not take back. */
const ofService = new Set(['providerRequiredCustomerFields', 'providerRequiredCounterpartyCustomerFields'])

const withoutThose = (key: string, value: unknown) => (ofService.has(key) ? undefined : value)

/** A member as a field shows it; empty where there is none. */
export function textOfMember(config: object, name: string): string {
  const value = (config as Readonly<Record<string, unknown>>)[name]
  if (value === undefined || value === null) return ''
  return typeof value === 'string' ? value : JSON.stringify(value, withoutThose, 2)
}

/**
 * The members that differ from what is configured, as the API takes them, and what is wrong with the rest. What is emptied is
 * removed where the API can remove it: the endpoint alone.
 */
export function changesOf(
  config: object,
  given: Readonly<Record<string, string>>,
): { readonly changes: Changes; readonly wrong: readonly string[] } {
  const changes: Record<string, unknown> = {}
  const wrong: string[] = []
  for (const { name, label, isText } of editable) {
    const before = textOfMember(config, name)
    const after = given[name]?.trim() ?? before
    if (after === before) continue
    if (isText) {
      if (after === '' && name !== 'webhookEndpoint')
        wrong.push(t('{label}: it cannot be removed.', { label }))
      else changes[name] = after === '' ? null : after
      continue
    }
    try {
      const value: unknown = JSON.parse(after)
      if (textOfMember({ value }, 'value') !== before) changes[name] = value
    } catch {
      wrong.push(t('{label}: this is not valid JSON.', { label }))
    }
  }
  return { changes, wrong }
}

/** Lines before and after, without those that both begin and end with, but for two on each side. */
export function differenceOf(before: string, after: string): { readonly old: string; readonly new: string } {
  const [a, b] = [before.split('\n'), after.split('\n')]
  const shorter = Math.min(a.length, b.length)
  let head = 0
  while (head < shorter && a[head] === b[head]) head++
  let tail = 0
  while (tail < shorter - head && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail++
  const from = Math.max(0, head - context)
  const to = Math.max(0, tail - context)
  const cut = (lines: readonly string[]) => lines.slice(from, lines.length - to).join('\n')
  return { old: cut(a), new: cut(b) }
}

const context = 2
