import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, it } from 'vitest'

const catalogue = resolve(import.meta.dirname, '../../apps/console/src/language/catalogues/en.json')

/** Said only where they are several, by what says them. */
const alwaysSeveral: ReadonlySet<string> = new Set([
  'Retry {count} jobs',
  'Retry {count} jobs in PRODUCTION',
  '{count} days',
  'More than {rows} new payments.',
  'The first {rows} rows exported. There are more.',
  // An amount in the smallest unit, and what is no number at all.
  '{n} minor units of {code}',
  '{n} units',
  'Pause {rail} payouts for {platform} in {environment}',
  'Current response of {name}:',
  'Request that {symbol} becomes a currency here',
  'Authorize {amount} with this code',
  '{key} signs now.',
  '{sent}, less fees of {fee}, delivers about <strong></strong>, at {rate} {source} for one {destination} with all fees. A quote locks the rate.',
])

/** A number right before a word in the plural: `{count} events`, and before what is said of several: `{rows} are`. */
const severalSaid = /\{\w+\} (?:[a-z]+ )?(?:[a-z]{3,}s|are|were|match|wait)\b/
/** Words that end like a plural, or are said of one as well; an amount of money `was` not one. */
const noPlural = /\{\w+\} (?:[a-z]+ )?(?:was|is|has|waits|stays|says)\b/
const ofMoney = /\{(sent|received|amount)\} (?:are|were|goes)\b/

it('what is counted is said of one as of one', () => {
  const messages = Object.values(JSON.parse(readFileSync(catalogue, 'utf8')) as Record<string, string>)
  const wrong = messages.filter(
    (message) =>
      severalSaid.test(message) &&
      !/, plural,/.test(message) &&
      !/\bor more\b/.test(message) &&
      !noPlural.test(message) &&
      !ofMoney.test(message) &&
      !alwaysSeveral.has(message),
  )
  expect(wrong).toEqual([])
})
