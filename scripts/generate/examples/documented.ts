import type { RecordedEvent } from '@corridor/testkit/server.ts'
import type { Examples } from '../../../packages/engine/src/mechanisms/http/openapi-examples.ts'
import type { Exchange } from './recorder.ts'

/** The examples of all operations and events, with nothing in them that is secret or random. */
export function documented(exchanges: readonly Exchange[], events: readonly RecordedEvent[]): Examples {
  const tidy = namesInOrder()
  const operations: Record<string, Collected> = {}
  for (const { operation, status, body, answer, variant } of exchanges) {
    operations[operation.id] ??= { requests: {}, successes: {}, refusals: {} }
    const of = operations[operation.id]!
    if (status < 300) {
      if (body !== undefined) of.requests[variant ?? 'default'] ??= tidy(body)
      if (answer !== undefined) of.successes[status] ??= tidy(answer)
    } else {
      if (variant !== undefined)
        throw new Error(`the example of ${variant} is refused: ${JSON.stringify(answer)}`)
      of.refusals[status] ??= {}
      of.refusals[status][(answer as { code: string }).code] ??= tidy(answer)
    }
  }
  const told: Record<string, unknown> = {}
  for (const event of events) told[event.type] ??= tidy(event)
  return { operations, events: told }
}

interface Collected {
  readonly requests: Record<string, unknown>
  readonly successes: Record<string, unknown>
  readonly refusals: Record<string, Record<string, unknown>>
}

const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g

/** Members that hold a secret, or what was signed or sealed with random keys. */
const hidden =
  /secret|accessToken|totpUri|recoveryCodes|panEmbedUrl|bundle|payloadToSign|signature$|SigningKey|encryptedW|livenessAccess|^publicKey$/i

/** Random ids get numbers in the order of their appearance. */
function namesInOrder(): (value: unknown) => unknown {
  const ids = new Map<string, string>()
  const renamed = (id: string) => {
    if (id.startsWith('00000000')) return id
    if (!ids.has(id)) ids.set(id, `0199dccc-4a80-7000-8000-${String(ids.size + 1).padStart(12, '0')}`)
    return ids.get(id)!
  }
  const tidy = (value: unknown, name = ''): unknown => {
    if (Array.isArray(value)) return value.map((each) => tidy(each, name))
    if (typeof value === 'object' && value !== null) {
      return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, tidy(part, key)]))
    }
    if (typeof value !== 'string') return value
    if (!hidden.test(name)) return value.replace(uuid, renamed)
    return value.startsWith('http') ? `${new URL(value).origin}/(${name})` : `(${name})`
  }
  return (value) => tidy(value)
}
