import { toTimestamp } from '@corridor/kernel'
import {
  type ChangedResponse,
  type Intervention,
  type Interventions,
  interventionKind,
  type ListInterventions,
} from '../../vocabulary/interventions.ts'
import type { Database } from '../db/database.ts'
import type { FaultKind } from './fault.ts'
import { listShownHits, mostShownHits, type ShownHit } from './store.ts'
import { toldHit } from './told.ts'

/** Explains hits of faults, except those of hidden ones. */
export function createInterventions(database: Database): ListInterventions {
  return async (book, ids) => interventionsOf(await listShownHits(database, book, ids))
}

export function interventionsOf(hits: readonly ShownHit[]): Interventions {
  const isCut = hits.length >= mostShownHits
  return {
    all: hits.map(interventionOf),
    unknown: isCut ? ['further fault hits (only the first 100 are shown)'] : [],
  }
}

function interventionOf(hit: ShownHit): Intervention {
  const { target, kind, requestId, operationId, createdAt, faultId } = hit
  const where = operationId === null ? target : `${target} ${operationId}`
  const text = `⚑ fault, ${where} ${kind}: ${toldHit(hit)}`
  const response = target === 'API' ? changedResponses[kind] : undefined
  return {
    entry: { at: toTimestamp(createdAt), kind: interventionKind, text, ref: faultId },
    requestId,
    operationId,
    ...(response ? { response } : {}),
    decidesOutcome: kind === 'OUTCOME',
  }
}

const changedResponses: Readonly<Partial<Record<FaultKind, ChangedResponse>>> = {
  ERROR: { kind: 'REPLACED' },
  RATE_LIMITED: { kind: 'REPLACED' },
  LOST_ANSWER: { kind: 'LOST', text: 'but a fault discarded the response' },
  TRUNCATED: { kind: 'CUT', text: 'but a fault cut the response in half' },
}
