import type { Book } from './scope.ts'

/** What the API calls an intervention, in timelines and in sentences. */
export const interventionKind = 'FAULT'
export const noIntervention = 'not a fault'

/** A change that the sandbox made to a request, an event or a payment because its platform had asked for it. */
export interface Intervention {
  /** Its line in the timeline of what it changed. */
  readonly entry: {
    readonly at: string
    readonly kind: typeof interventionKind
    readonly text: string
    readonly ref: string
  }
  /** The request that it changed; null: none. */
  readonly requestId: string | null
  /** The operation of the API that it changed; null: none. */
  readonly operationId: string | null
  /** What became of the response of that operation. Absent: it was sent as it was, or there was none. */
  readonly response?: ChangedResponse
  /** Whether it decided the outcome of a payment in place of its account. */
  readonly decidesOutcome: boolean
}

export type ChangedResponse =
  /** Another response was sent, and nothing was done. */
  { readonly kind: 'REPLACED' } | { readonly kind: 'LOST' | 'CUT'; readonly text: string }

export interface Interventions {
  readonly all: readonly Intervention[]
  /** Says which of them are left out, where there are too many. */
  readonly unknown: readonly string[]
}

export const noInterventions: Interventions = { all: [], unknown: [] }

/** Lists what the sandbox changed about these payments, quotes, events or requests, in order. */
export type ListInterventions = (book: Book, ids: readonly string[]) => Promise<Interventions>
