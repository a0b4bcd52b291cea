import type { Operation } from '../../vocabulary/operation.ts'
import type { Webhook } from '../../vocabulary/webhook.ts'
import type { PlainSchema } from './components.ts'

/** What went over HTTP in a recorded run, to be shown in the document. */
export interface Examples {
  /** By operationId. */
  readonly operations: Readonly<Record<string, OperationExamples>>
  /** A whole body by type of event. */
  readonly events: Readonly<Record<string, unknown>>
}

interface OperationExamples {
  /** By variant of the body, `default` beside them or alone. */
  readonly requests: Readonly<Record<string, unknown>>
  /** By status. */
  readonly successes: Readonly<Record<string, unknown>>
  /** By status, then by code. */
  readonly refusals: Readonly<Record<string, Readonly<Record<string, unknown>>>>
}

export const noExamples: Examples = { operations: {}, events: {} }

/** What stands beside the schema of a request body: the recorded ones, or what the operation declares. */
export function requestExamples({ operations }: Examples, { id, example }: Operation): PlainSchema {
  const { default: alone = example, ...variants } = operations[id]?.requests ?? {}
  if (Object.keys(variants).length > 0) return named(variants)
  return alone === undefined ? {} : { example: alone }
}

export function successExample({ operations }: Examples, { id }: Operation, status: string): PlainSchema {
  const example = operations[id]?.successes[status]
  return example === undefined ? {} : { example }
}

export function refusalExamples({ operations }: Examples, { id }: Operation, status: number): PlainSchema {
  return named(operations[id]?.refusals[status] ?? {})
}

/**
 * The components with whole events in those of webhooks: beside the schema of a request body, which an event is to
 * the document, no member may stand that is only read.
 */
export function withEvents(
  components: Readonly<Record<string, PlainSchema>>,
  webhooks: readonly Webhook[],
  { events }: Examples,
): Record<string, PlainSchema> {
  const shown = webhooks.map(({ component, types }) => {
    const examples = Object.keys(types).flatMap((type) => (type in events ? [events[type]] : []))
    return [component, { ...components[component], ...(examples.length > 0 ? { examples } : {}) }] as const
  })
  return { ...components, ...Object.fromEntries(shown) }
}

/** In alphabetical order, so that the order of the run does not matter. */
function named(values: Readonly<Record<string, unknown>>): PlainSchema {
  const entries = Object.entries(values).sort(([a], [b]) => (a < b ? -1 : 1))
  if (entries.length === 0) return {}
  return { examples: Object.fromEntries(entries.map(([name, value]) => [name, { value }])) }
}
