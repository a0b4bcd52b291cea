import { toTimestamp } from '@corridor/kernel'
import { faultKinds } from '../../mechanisms/faults/fault.ts'
import { mostShownHits, type ShownHit } from '../../mechanisms/faults/store.ts'
import type { Explanation } from './contract.ts'

/** What failed on purpose, in the timeline of what it hit. */
export function hitsOf(hits: readonly ShownHit[]): Explanation['timeline'] {
  return hits.map(({ target, kind, operationId, createdAt, faultId }) => {
    const where = operationId === null ? target : `${target} ${operationId}`
    const kinds: Readonly<Record<string, string>> = faultKinds[target]
    const text = `⚑ on purpose, ${where} ${kind}: ${kinds[kind]}`
    return { at: toTimestamp(createdAt), kind: 'FAULT', text, ref: faultId }
  })
}

/** What is left out where there are too many. */
export function unknownHits(hits: readonly ShownHit[]): string[] {
  return hits.length < mostShownHits ? [] : ['all that failed on purpose: the first hundred hits are told']
}
