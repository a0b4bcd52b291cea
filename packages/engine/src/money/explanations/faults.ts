import { toTimestamp } from '@corridor/kernel'
import { type FaultParams, faultKinds } from '../../mechanisms/faults/fault.ts'
import { mostShownHits, type ShownHit } from '../../mechanisms/faults/store.ts'
import type { Explanation } from './contract.ts'

/** What failed on purpose, in the timeline of what it hit. */
export function hitsOf(hits: readonly ShownHit[]): Explanation['timeline'] {
  return hits.map(({ target, kind, params, operationId, createdAt, faultId }) => {
    const where = operationId === null ? target : `${target} ${operationId}`
    const kinds: Readonly<Record<string, string>> = faultKinds[target]
    const text = `⚑ on purpose, ${where} ${kind}: ${saidWith(kinds[kind] ?? '', params)}`
    return { at: toTimestamp(createdAt), kind: 'FAULT', text, ref: faultId }
  })
}

/** What is left out where there are too many. */
export function unknownHits(hits: readonly ShownHit[]): string[] {
  return hits.length < mostShownHits ? [] : ['all that failed on purpose: the first hundred hits are told']
}

const units: Partial<Record<keyof FaultParams, string>> = {
  bps: ' bps',
  ms: ' ms',
  seconds: ' seconds',
  bytesPerSecond: ' bytes a second',
}
const usual: FaultParams = { copies: 2, retryAfter: 1 }

/** What a kind does, with the numbers of this fault in place of their names. */
function saidWith(text: string, params: FaultParams): string {
  const { status, code } = params
  const answer = [status, code].filter((part) => part !== undefined).join(' ') || 'INTERNAL_ERROR'
  const [, absent] = /, (\d+) when absent/.exec(text) ?? []
  return text
    .replace('`status` or `code`', answer)
    .replace(/, \d+ when absent/, '')
    .replace(/`(bps|ms|bytesPerSecond|n|copies|retryAfter|seconds|status)`/g, (whole, word: string) => {
      const name = word as keyof FaultParams
      const value = params[name] ?? usual[name] ?? absent
      return value === undefined ? whole : `${value}${units[name] ?? ''}`
    })
}
