import type { TObject } from 'typebox'
import type { Exchange } from './recorder.ts'
import type { Stage } from './stage.ts'

/**
 * The mistake that is made most with an operation: a member is missing, the id names nothing, a page is too long,
 * or nobody says who calls. What else is refused is recorded where a chapter does it.
 */
export async function provokeRefusals({ server, recorder, begin }: Stage): Promise<void> {
  const succeeded = new Map<string, Exchange>()
  for (const exchange of recorder.exchanges) {
    const { id } = exchange.operation
    if (exchange.status < 300 && !succeeded.has(id)) succeeded.set(id, exchange)
  }
  for (const [id, exchange] of succeeded) {
    begin(id)
    const { path, headers, body } = mistake(exchange)
    const response = await server.fetch(server.baseUrl + path, {
      method: exchange.method,
      headers,
      ...(body === undefined ? {} : { body: body instanceof FormData ? body : JSON.stringify(body) }),
    })
    if (response.status < 400)
      throw new Error(`${id} takes what should be a mistake: ${path} ${JSON.stringify(body)}`)
  }
}

interface Request {
  readonly path: string
  readonly headers: Headers
  readonly body?: object | undefined
}

function mistake({ operation, path, headers: sent, body: right, isForm }: Exchange): Request {
  const headers = new Headers(sent)
  if (headers.has('idempotency-key')) headers.set('idempotency-key', 'another-key')
  const body = right as Record<string, unknown> | undefined
  if (isForm) {
    headers.delete('content-type')
    const form = new FormData()
    for (const [name, value] of Object.entries(body ?? {})) if (name !== 'file') form.set(name, String(value))
    return { path, headers, body: form }
  }
  const [member] = requiredOf(operation.body as TObject | undefined)
  if (body && member !== undefined) {
    const { [member]: _, ...rest } = body
    return { path, headers, body: rest }
  }
  if (operation.path.includes('{')) return { path: withUnknownId(operation.path, path), headers, body }
  const query = (operation.query as TObject | undefined)?.properties ?? {}
  if ('limit' in query) return { path: `${path.split('?')[0]}?limit=1000`, headers }
  const needed = requiredOf(operation.query as TObject | undefined)
  if (needed.length > 0) return { path: path.split('?')[0]!, headers }
  headers.delete('authorization')
  return { path, headers, body }
}

/** Of any variant, where there are several: the field that tells them apart. */
function requiredOf(schema: TObject | undefined): readonly string[] {
  const { required, discriminator } = (schema ?? {}) as {
    required?: string[]
    discriminator?: { propertyName: string }
  }
  return required ?? (discriminator ? [discriminator.propertyName] : [])
}

/** The last parameter of the path names nothing. */
function withUnknownId(template: string, path: string): string {
  const last = template.split('/').findLastIndex((segment) => segment.startsWith('{'))
  const [pathname, query] = path.split('?')
  const segments = pathname!
    .split('/')
    .map((segment, index) => (index === last ? unknownOf(segment) : segment))
  return segments.join('/') + (query === undefined ? '' : `?${query}`)
}

function unknownOf(segment: string): string {
  const [kind, rest] = decodeURIComponent(segment).split(':')
  if (rest !== undefined) return `${kind}:00000000-0000-7000-8000-000000000000`
  if (kind!.startsWith('$')) return encodeURIComponent(kind!.replace(/^.*@/, '$nobody@'))
  return segment.replace(/[0-9a-z]{4}$/i, '0000')
}
