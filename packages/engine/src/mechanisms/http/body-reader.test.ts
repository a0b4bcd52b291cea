import { EventEmitter } from 'node:events'
import { PassThrough } from 'node:stream'
import { finished } from 'node:stream/promises'
import { createGunzip, gzipSync } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { describe, expect, it } from 'vitest'
import { fail } from '../../vocabulary/errors.ts'
import { createBodyReader, type RefusedBody } from './body-reader.ts'

const kb = 1024
const bounds = {
  bodies: { perSource: 2, total: 3 },
  bytes: { perSource: 8 * kb, total: 12 * kb },
  strangersShare: 1,
}

/** A request whose body comes by hand, and whose response is over by hand. */
function asked(reader: ReturnType<typeof createBodyReader>, ip: string, platformId?: string) {
  const raw = new PassThrough()
  const response = new EventEmitter()
  const headers = { 'transfer-encoding': 'chunked' }
  const principal = platformId === undefined ? undefined : { platformId }
  const request = { ip, raw, headers, principal } as unknown as FastifyRequest
  reader.admit(request, { raw: response } as unknown as FastifyReply)
  const tooLarge = fail('PAYLOAD_TOO_LARGE', { maxBytes: 100 * kb })
  const body = reader.read(request, raw, { maxBytes: 100 * kb, tooLarge })
  return { raw, body, over: () => response.emit('close') }
}

const refusalOf = (work: () => unknown) => {
  try {
    work()
  } catch (error) {
    return (error as RefusedBody).failure
  }
}

describe('bodies that are on their way in', () => {
  it('are so many from one address, and so many from all', () => {
    const reader = createBodyReader(bounds)
    const first = asked(reader, '192.0.2.1')
    asked(reader, '192.0.2.1')
    expect(refusalOf(() => asked(reader, '192.0.2.1'))).toMatchObject({
      code: 'RATE_LIMITED',
      retryAfterSeconds: 1,
    })
    asked(reader, '192.0.2.2')
    expect(refusalOf(() => asked(reader, '192.0.2.3'))).toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
    first.over()
    expect(refusalOf(() => asked(reader, '192.0.2.3'))).toBeUndefined()
  })

  it('of strangers leave room for callers with credentials, who are counted by their platform', () => {
    const bodies = { perSource: 3, total: 3 }
    const reader = createBodyReader({ ...bounds, bodies, strangersShare: 1 / 3 })
    asked(reader, '192.0.2.1')
    expect(refusalOf(() => asked(reader, '192.0.2.2'))).toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
    asked(reader, '192.0.2.1', 'a')
    asked(reader, '192.0.2.1', 'b')
  })

  it('of one stranger leave room for other strangers', () => {
    const reader = createBodyReader()
    let refusal: unknown
    for (let body = 0; body < 300; body++) refusal ??= refusalOf(() => asked(reader, '192.0.2.1'))
    expect(refusal).toMatchObject({ code: 'RATE_LIMITED' })
    expect(refusalOf(() => asked(reader, '192.0.2.2'))).toBeUndefined()
  })

  it('take nothing once their sender has gone', async () => {
    const reader = createBodyReader(bounds)
    const left = asked(reader, '192.0.2.1')
    left.raw.write(Buffer.alloc(kb))
    left.over()
    left.raw.end(Buffer.alloc(7 * kb))
    await expect(left.body).rejects.toMatchObject({ failure: { code: 'INVALID_REQUEST_FORMAT' } })
    const whole = asked(reader, '192.0.2.1')
    whole.raw.end(Buffer.alloc(8 * kb))
    expect(await whole.body).toHaveLength(8 * kb)
  })

  it('have no place where the connection closed before', () => {
    const reader = createBodyReader({ ...bounds, bodies: { perSource: 1, total: 1 } })
    const request = { ip: '192.0.2.1', raw: {}, headers: { 'transfer-encoding': 'chunked' } }
    const closed = { raw: Object.assign(new EventEmitter(), { destroyed: true }) }
    const admit = () => reader.admit(request as unknown as FastifyRequest, closed as unknown as FastifyReply)
    expect(refusalOf(admit)).toMatchObject({ code: 'INVALID_REQUEST_FORMAT' })
    expect(refusalOf(() => asked(reader, '192.0.2.1'))).toBeUndefined()
  })

  it('are not inflated any more once they were refused', async () => {
    const reader = createBodyReader(bounds)
    const gzip = createGunzip()
    const raw = new PassThrough()
    const headers = { 'transfer-encoding': 'chunked', 'content-encoding': 'gzip' }
    const request = { ip: '192.0.2.1', raw, headers } as unknown as FastifyRequest
    reader.admit(request, { raw: new EventEmitter() } as unknown as FastifyReply)
    const tooLarge = fail('PAYLOAD_TOO_LARGE', { maxBytes: kb })
    const body = reader.read(request, raw.pipe(gzip), { maxBytes: kb, tooLarge })
    const bomb = gzipSync(Buffer.alloc(8 * kb * kb))
    for (let at = 0; at < bomb.length; at += kb) raw.write(bomb.subarray(at, at + kb))
    await expect(body).rejects.toMatchObject({ failure: { code: 'PAYLOAD_TOO_LARGE' } })
    raw.end(bomb)
    await finished(raw)
    expect(gzip.bytesWritten).toBeLessThan(bomb.length)
    expect(raw.errored).toBeNull()
  })

  it('make room once they have arrived', async () => {
    const reader = createBodyReader(bounds)
    for (let count = 0; count < 6; count++) {
      const { raw, body } = asked(reader, '192.0.2.1')
      raw.end('{}')
      expect(Buffer.from(await body).toString()).toBe('{}')
    }
  })
})

describe('the memory of bodies', () => {
  it('is bounded, for one address before all, until their responses are over', async () => {
    const reader = createBodyReader(bounds)
    const first = asked(reader, '192.0.2.1')
    first.raw.end('x'.repeat(7 * kb))
    await first.body
    const second = asked(reader, '192.0.2.1')
    second.raw.write('x'.repeat(2 * kb))
    await expect(second.body).rejects.toMatchObject({ failure: { code: 'RATE_LIMITED' } })
    const other = asked(reader, '192.0.2.2')
    other.raw.write('x'.repeat(6 * kb))
    await expect(other.body).rejects.toMatchObject({ failure: { code: 'SERVICE_UNAVAILABLE' } })
    for (const each of [first, second, other]) each.over()
    const later = asked(reader, '192.0.2.1')
    later.raw.end('x'.repeat(7 * kb))
    expect(await later.body).toHaveLength(7 * kb)
  })
})
