import { toTimestamp } from '@corridor/kernel'
import { mostShownHits, type ShownHit } from '../../mechanisms/faults/store.ts'
import { toldHit } from '../../mechanisms/faults/told.ts'
import type { Explanation } from './contract.ts'

/** What failed on purpose, in the timeline of what it hit. */
export function hitsOf(hits: readonly ShownHit[]): Explanation['timeline'] {
  return hits.map((hit) => {
    const { target, kind, operationId, createdAt, faultId } = hit
    const where = operationId === null ? target : `${target} ${operationId}`
    const text = `⚑ fault, ${where} ${kind}: ${toldHit(hit)}`
    return { at: toTimestamp(createdAt), kind: 'FAULT', text, ref: faultId }
  })
}

/** What is left out where there are too many. */
export function unknownHits(hits: readonly ShownHit[]): string[] {
  return hits.length < mostShownHits ? [] : ['further fault hits (a hundred are shown)']
}
