import type { Rail, RemittanceCharacters } from './rail.ts'

const outside: Readonly<Record<RemittanceCharacters, RegExp>> = {
  SWIFT_X: /[^A-Za-z0-9/\-?:().,'+ ]/gu,
  PRINTABLE_ASCII: /[^\x20-\x7e]/gu,
  ALPHANUMERIC: /[^A-Za-z0-9 ]/gu,
  ANY: /\p{Cc}/gu,
}

/**
 * The text as the rail carries it: characters outside its set become spaces, one for one, and what is
 * longer than the rail's field is cut (accounts 7.2). Undefined when the rail carries no text.
 */
export function toRemittanceText(rail: Rail, text: string): string | undefined {
  if (!rail.remittance) return undefined
  const carried = text.normalize('NFC').replace(outside[rail.remittance.characters], ' ')
  return [...carried].slice(0, rail.remittance.maxLength).join('').trimEnd()
}
