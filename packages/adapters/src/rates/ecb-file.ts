import { divideRates, type Instant, one, parseRate, type Rate } from '@corridor/kernel'

/** The reference rates of one day (the European Central Bank's `eurofxref-daily.xml`). */
export interface DailyRates {
  /** The day they are of, as in the file. */
  readonly date: string
  /** When the bank publishes the rates of that day, at the latest. */
  readonly publishedAt: Instant
  /** Units of each currency per US dollar, as exact fractions. */
  readonly perUsd: Readonly<Record<string, string>>
}

const largestFile = 262_144
const day = /<Cube\s+time=(['"])(\d{4}-\d{2}-\d{2})\1\s*>([\s\S]*?)<\/Cube>/g
const entry = /\s*<Cube\s+currency=(['"])([A-Z]{3})\1\s+rate=(['"])([0-9]{1,9}(?:\.[0-9]{1,9})?)\3\s*\/>\s*/y

/**
 * Reads the published file. The format is small and fixed, so everything that is not exactly it is refused
 * with an error: a wrong rate costs more than a missing one. Nothing of XML that could hide content
 * (comments, sections, document types) occurs in it.
 */
export function parseDailyRates(xml: string): DailyRates {
  if (xml.length > largestFile) throw new Error('the file is too large for one day of rates')
  if (xml.includes('<!')) throw new Error('the file contains unknown elements')
  const [found, ...more] = [...xml.matchAll(day)]
  if (!found || more.length > 0) throw new Error('the file does not hold the rates of exactly one day')
  const [, , date = '', content = ''] = found
  const publishedAt = Date.parse(`${date}T15:00:00Z`)
  const isRealDay = !Number.isNaN(publishedAt) && new Date(publishedAt).toISOString().startsWith(date)
  if (!isRealDay) throw new Error('the day of the file does not exist')

  const perEur = readEntries(content)
  const dollar = perEur.get('USD')
  if (!dollar) throw new Error('the file has no rate of the US dollar')
  const perUsd: Record<string, string> = {}
  for (const [code, perEuro] of [['EUR', one] as const, ...perEur]) {
    const { numerator, denominator } = divideRates(perEuro, dollar)
    perUsd[code] = `${numerator}/${denominator}`
  }
  return { date, publishedAt, perUsd }
}

function readEntries(content: string): Map<string, Rate> {
  const perEur = new Map<string, Rate>()
  entry.lastIndex = 0
  while (entry.lastIndex < content.length) {
    const at = entry.lastIndex
    const match = entry.exec(content)
    if (!match) {
      if (content.slice(at).trim() === '') break
      throw new Error('the file has a line without a valid rate')
    }
    const [, , code = '', , text = ''] = match
    if (perEur.has(code) || code === 'EUR') throw new Error(`the file has more than one rate of ${code}`)
    if (/^[0.]+$/.test(text)) throw new Error(`the rate of ${code} is zero`)
    perEur.set(code, parseRate(text))
  }
  return perEur
}
