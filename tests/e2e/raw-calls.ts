import type { TestServer } from '@corridor/testkit/index.ts'
import { expect } from 'vitest'

export interface Credentials {
  readonly clientId: string
  readonly clientSecret: string
}

export const basic = ({ clientId, clientSecret }: Credentials) =>
  `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`

export const json = { 'content-type': 'application/json' }

type RawCall = ReturnType<typeof rawCaller>

/** Requests as a stranger might send them, without what the SDK would put right. */
export function rawCaller(server: () => TestServer) {
  return async (
    method: string,
    path: string,
    options: { as?: Credentials; headers?: Record<string, string>; body?: string | Buffer } = {},
  ) => {
    const response = await server().fetch(`${server().baseUrl}${path}`, {
      method,
      headers: { ...(options.as ? { authorization: basic(options.as) } : {}), ...options.headers },
      ...(options.body === undefined ? {} : { body: options.body, duplex: 'half' }),
    } as RequestInit)
    const text = await response.text()
    return { status: response.status, headers: response.headers, text, json: () => JSON.parse(text) }
  }
}

/** Every refusal has the same four members, whoever refused (conventions 12). */
export function expectFailure(answer: Awaited<ReturnType<RawCall>>, status: number, code: string) {
  expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8')
  expect(answer.headers.get('x-request-id')).toEqual(expect.any(String))
  expect(answer.json()).toEqual({
    status,
    code,
    message: expect.any(String),
    details: expect.any(Object),
    ...(answer.json().reason === undefined ? {} : { reason: answer.json().reason }),
  })
  expect(answer.status).toBe(status)
  return answer.json().details as Record<string, unknown>
}

export async function createToken(call: RawCall, as: Credentials, permissions: string[]) {
  const body = JSON.stringify({ name: 'made', permissions })
  const answer = await call('POST', '/tokens', { as, headers: json, body })
  return answer.json() as Credentials & { id: string }
}
