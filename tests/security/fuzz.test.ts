import { type ErrorEntry, errorRegistry } from '@corridor/engine/vocabulary/errors.ts'
import { buildServer } from '@corridor/testkit/built-server.ts'
import { effort, isProof, proofSeed } from '@corridor/testkit/effort.ts'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import document from '../../openapi/openapi.json' with { type: 'json' }
import { operationsOf, type PublishedDocument, type Schema, valuesFor } from './generated-values.ts'
import { type StartedServer, startServer } from './started-server.ts'

/**
 * Every operation of the published document, with values made from its schemas and hostile ones between them,
 * against a started server. No answer is a 5xx (501 is an answer of the API: not offered here), none is
 * outside the document or the error model, none is missing, and the process lives on.
 */

const runs = effort(4, 100)
const seed = proofSeed(1)
const published = document as unknown as PublishedDocument
/** The server's own limit is a minute (503), and what moves a clock may use most of it. */
const hangsAfterMs = 65_000

let server: StartedServer
beforeAll(async () => {
  buildServer()
  server = await startServer({ CORRIDOR_RATE_LIMITS: 'off' })
}, 240_000)
afterAll(async () => {
  await server.expectAlive()
  expect(server.log()).not.toContain('unexpected error')
  await server.stop()
})

interface Request {
  readonly path: Record<string, unknown>
  readonly query: Record<string, unknown>
  readonly headers: Record<string, unknown>
  readonly body: unknown
}

/** Largest valid seconds of two operations. They let the server wait or work for most of a minute, so only the long version sends them. */
const slowSeconds: Readonly<Record<string, number>> = {
  '/sandbox/inbox/wait': 25,
  '/sandbox/clock/advance': 31_622_400,
}

/** A second in place of a larger valid value. */
function shorten(path: string, fields: unknown): void {
  const asked = fields as { seconds?: unknown; until?: unknown } | null
  const { [path]: largest = 0 } = slowSeconds
  // Without seconds, `until` may go as far as the largest.
  const seconds = Number(asked?.seconds ?? (asked?.until === undefined ? undefined : largest))
  if (asked && !isProof && Number.isInteger(seconds) && seconds > 1 && seconds <= largest) asked.seconds = 1
}

const knownCodes = new Set<unknown>(
  Object.entries<ErrorEntry>(errorRegistry).map(([code, { wireCode = code }]) => wireCode),
)

describe.each(operationsOf(published).map((each) => [`${each.method} ${each.path}`, each] as const))(
  '%s',
  (_name, { method, path, operation }) => {
    const { parameters = [], requestBody, responses } = operation
    const named = (place: string) => {
      const those = parameters.filter((parameter) => parameter.in === place)
      const members = those.map(({ name, schema }) => [name, valuesFor(schema, published, true)] as const)
      const requiredKeys = those.filter(({ required }) => required).map(({ name }) => name)
      return fc.record(Object.fromEntries(members), { requiredKeys })
    }
    const json = requestBody?.content['application/json']?.schema
    const form = requestBody?.content['multipart/form-data']?.schema
    const request = fc.record<Request>({
      path: named('path'),
      query: named('query'),
      headers: named('header'),
      body: valuesFor(json ?? form ?? ({ type: 'object' } as Schema), published, true),
    })

    async function send({ path: params, query, headers, body }: Request): Promise<Response> {
      const filled = path.replace(/\{(\w+)\}/g, (_all, name) => encodeURIComponent(textOf(params[name])))
      const search = new URLSearchParams()
      for (const [name, value] of Object.entries(query)) {
        for (const each of [value].flat()) search.append(name, textOf(each))
      }
      const sent: Record<string, string> = { authorization: server.authorization('acme') }
      for (const [name, value] of Object.entries(headers)) {
        // What no HTTP client can send is tested with raw connections.
        const text = textOf(value)
          .replace(/[^\x20-\x7e]/g, '?')
          .slice(0, 2_000)
        if (text.trim() !== '') sent[name.toLowerCase()] = text
      }
      let payload: string | FormData | undefined
      if (form) payload = formOf(body)
      else if (json) {
        payload = JSON.stringify(body)
        sent['content-type'] = 'application/json'
      }
      return fetch(`${server.base}${filled}?${search}`, {
        method,
        headers: sent,
        signal: AbortSignal.timeout(hangsAfterMs),
        ...(payload === undefined ? {} : { body: payload }),
      })
    }

    // Moving a clock may use most of a minute each time in the long version.
    const numRuns = path.endsWith('/clock/advance') ? Math.min(runs, 3) : runs

    it('answers within the document and the error model, whatever is sent', async () => {
      await fc.assert(
        fc.asyncProperty(request, async (values) => {
          for (const fields of [values.query, values.body]) shorten(path, fields)
          const answer = await send(values)
          const text = await answer.text()
          const about = `${answer.status} ${text.slice(0, 500)}`
          expect(answer.status === 501 || answer.status < 500, about).toBe(true)
          // An empty parameter makes another path, which has another operation or none.
          const isOther = Object.values(values.path).some((value) => ['', '.', '..'].includes(textOf(value)))
          if (!isOther) expect(Object.keys(responses), about).toContain(String(answer.status))
          if (answer.status < 400) return
          const failure = JSON.parse(text) as Record<string, unknown>
          expect(failure, about).toMatchObject({
            status: answer.status,
            code: expect.any(String),
            message: expect.any(String),
            details: expect.any(Object),
          })
          expect(knownCodes.has(failure.code), about).toBe(true)
        }),
        { numRuns, seed, endOnFailure: true },
      )
    }, 600_000)
  },
)

function textOf(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
  // Half a character cannot be sent in an address.
  return Buffer.from(text).toString('utf8')
}

function formOf(body: unknown): FormData {
  const form = new FormData()
  if (typeof body !== 'object' || body === null) return form
  for (const [name, value] of Object.entries(body)) {
    if (name === 'file') form.append(name, new Blob([textOf(value)], { type: 'application/pdf' }), 'a.pdf')
    else form.append(name, textOf(value))
  }
  return form
}
