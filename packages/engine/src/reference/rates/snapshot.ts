import { type Instant, parseRate, type Rate } from '@corridor/kernel'
import type { RateSnapshot } from './rate-engine.ts'

/** What a source of rates hands out: decimal texts per US dollar, and how old they are. */
export interface RateTexts {
  readonly updatedAt: Instant
  readonly perUsd: Readonly<Record<string, string>>
}

/** Sources hand out the same table until it changes, so its text is parsed once. */
const parsed = new WeakMap<RateTexts['perUsd'], RateSnapshot['perUsd']>()

/** A source's table as exact ratios. */
export function toSnapshot({ updatedAt, perUsd }: RateTexts): RateSnapshot {
  let rates = parsed.get(perUsd)
  if (!rates) {
    const entries = Object.entries(perUsd).map(([code, text]): [string, Rate] => [code, parseRate(text)])
    rates = Object.fromEntries(entries)
    parsed.set(perUsd, rates)
  }
  return { updatedAt, perUsd: rates }
}
