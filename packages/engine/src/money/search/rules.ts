import { isUuid, lowerAscii, upperAscii } from '@corridor/kernel'
import { findCurrency } from '../../reference/currencies/index.ts'
import { endingLength } from '../external-accounts/index.ts'
import { resourceTypes, type SearchMatch } from './contract.ts'

/** What somebody may mean by the text that was typed. */
export interface Asked {
  /** Without blanks at its ends. */
  readonly text: string
  /** As it stands, and as most references are spelled. */
  readonly spellings: readonly string[]
  /** Ids of all kinds that have its uuid. */
  readonly ids: readonly string[]
  /** The id as it stands in the text, with its prefix. */
  readonly id: string | undefined
  /** What values begin with; undefined where the text is too short to say anything. */
  readonly beginning: string | undefined
  readonly amount: { readonly minor: bigint; readonly currency: string } | undefined
  readonly umaAddress: string | undefined
  readonly transactionHash: string | undefined
  readonly lastDigits: string | undefined
  readonly email: string | undefined
  readonly phoneNumber: string | undefined
  readonly name: string | undefined
  /** The number of an account, or the end of one. */
  readonly accountNumber: string | undefined
  readonly accountEnding: string | undefined
}

const shortestBeginning = 3
const shortestPhone = 5
const longestAmount = 30
const largestAmount = 9_000_000_000_000_000n

/** Reads the text of at most 200 characters in every way that it could be meant. */
export function readAsked(typed: string): Asked {
  const text = typed.trim()
  const uuid = lowerAscii(text.slice(text.lastIndexOf(':') + 1))
  const isId = isUuid(uuid)
  const prefix = lowerAscii(text.slice(0, Math.max(0, text.length - uuid.length - 1)))
  const kind = resourceTypes.find((type) => lowerAscii(type) === prefix)
  const isWord = text !== '' && !/\s/.test(text)
  const isPhone = /^\+?[\d\s().-]+$/.test(text) && text.replaceAll(/\D/g, '').length >= shortestPhone
  const number = text.replaceAll(/[\s-]/g, '')
  return {
    text,
    spellings: [...new Set([text, upperAscii(text)])],
    ids: isId ? resourceTypes.map((type) => `${type}:${uuid}`) : [],
    id: isId && kind ? `${kind}:${uuid}` : undefined,
    beginning: text.length >= shortestBeginning && !isId ? text : undefined,
    amount: readAmount(text),
    umaAddress: isWord && text.startsWith('$') && text.includes('@') ? lowerAscii(text) : undefined,
    transactionHash: isWord && !isId && text.length >= 32 ? text : undefined,
    lastDigits: /^\d{4}$/.test(text) ? text : undefined,
    email: isWord && text.includes('@', 1) ? text : undefined,
    phoneNumber: isPhone ? text : undefined,
    name: isId ? undefined : text,
    accountNumber: number.length > endingLength && !isId ? number : undefined,
    accountEnding: number.length === endingLength ? number : undefined,
  }
}

/**
 * An amount that names its currency, before it or after it: `1,000.00 USD`, `usd 1000`, `1 000 USD`. Undefined for
 * anything else, also for more decimals than the currency has.
 */
export function readAmount(text: string): Asked['amount'] {
  if (text.length > longestAmount) return undefined
  const parts = /^([A-Za-z]{3,5})?\s?(\d[\d, ]*)(?:\.(\d{1,18}))?\s?([A-Za-z]{3,5})?$/.exec(text)
  if (!parts) return undefined
  const [, before, whole = '', decimals = '', after] = parts
  const code = (before ?? after)?.toUpperCase()
  const currency = code === undefined || (before && after) ? undefined : findCurrency(code)
  const grouped = whole.trim()
  const isWhole =
    /^\d+$/.test(grouped) || /^\d{1,3}(?:,\d{3})+$/.test(grouped) || /^\d{1,3}(?: \d{3})+$/.test(grouped)
  if (!currency || !isWhole || decimals.length > currency.decimals) return undefined
  const minor = BigInt(grouped.replaceAll(/[, ]/g, '') + decimals.padEnd(currency.decimals, '0'))
  return minor > 0n && minor <= largestAmount ? { minor, currency: currency.code } : undefined
}

/** How well something was found: the smaller the better. */
export const ranks = { id: 0, sameId: 1, value: 2, beginning: 3 } as const

export interface Ranked {
  readonly rank: number
  readonly match: SearchMatch
}

/**
 * What is shown: the best of what was found, each once, those of a kind together; a kind stands where its best one
 * would. Equally good ones the newest first.
 */
export function arrange(found: readonly Ranked[], most: number): { data: SearchMatch[]; isCut: boolean } {
  const sorted = [...found].sort(
    (a, b) =>
      a.rank - b.rank ||
      compare(b.match.createdAt, a.match.createdAt) ||
      compare(b.match.resourceId, a.match.resourceId),
  )
  const once = new Map<string, SearchMatch>()
  for (const { match } of sorted) {
    const name = `${match.resourceType} ${match.resourceId}`
    if (!once.has(name)) once.set(name, match)
  }
  const all = [...once.values()]
  const shown = all.slice(0, most)
  const types = [...new Set(shown.map(({ resourceType }) => resourceType))]
  return {
    data: types.flatMap((type) => shown.filter(({ resourceType }) => resourceType === type)),
    isCut: all.length > most,
  }
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
