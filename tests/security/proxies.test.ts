import { request } from 'node:http'
import { buildServer } from '@corridor/testkit/built-server.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type StartedServer, startServer } from './started-server.ts'

/**
 * Who counts for whom behind proxies (conventions 8): failed logins from one source are refused after three, whatever
 * X-Forwarded-For says beyond the proxies that are trusted.
 */

const guesses = 3

/** Trusts whoever connects from the machine itself, and a network of proxies before that. */
let behindProxies: StartedServer
/** Trusts nobody. */
let alone: StartedServer
beforeAll(async () => {
  buildServer()
  const limits = { CORRIDOR_FAILED_LOGINS_PER_MINUTE: String(guesses) }
  // Connections from 127.0.0.1 show as ::ffff:127.0.0.1 to a socket of both families.
  behindProxies = await startServer({
    ...limits,
    HOST: '::',
    CORRIDOR_TRUSTED_PROXIES: 'loopback,10.0.0.0/8',
  })
  alone = await startServer(limits)
}, 240_000)
afterAll(() => Promise.all([behindProxies.stop(), alone.stop()]))

/** The status of one guess; `forwarded` as it stands in the header, once or in several lines. */
function guess(server: StartedServer, forwarded: string | string[]): Promise<number> {
  const { hostname, port } = new URL(server.origin)
  const headers = {
    authorization: `Basic ${Buffer.from('nobody:guess').toString('base64')}`,
    'x-forwarded-for': forwarded,
  }
  return new Promise((resolve, reject) => {
    const sent = request({ hostname, port, path: '/2025-10-13/tokens', headers }, (answer) => {
      answer.resume()
      answer.on('end', () => resolve(answer.statusCode ?? 0))
    })
    sent.on('error', reject)
    sent.end()
  })
}

/** All guesses but one from these, one after the other, then one from each of `next`. */
async function after(server: StartedServer, spent: readonly (string | string[])[], ...next: string[]) {
  expect(spent).toHaveLength(guesses)
  for (const each of spent) expect(await guess(server, each)).toBe(401)
  const statuses: number[] = []
  for (const each of next) statuses.push(await guess(server, each))
  return statuses
}

describe('behind a trusted proxy', () => {
  it('each client has a limit of its own', async () => {
    const from = '192.0.2.1'
    expect(await after(behindProxies, [from, from, from], from, '192.0.2.2')).toEqual([429, 401])
  })

  it('what a client invents in front of its own address is not looked at', async () => {
    const from = '192.0.2.3'
    const spent = ['198.51.100.1, 192.0.2.3', '10.1.1.1,192.0.2.3', 'localhost, 127.0.0.1, 192.0.2.3']
    expect(await after(behindProxies, spent, `203.0.113.9, ${from}`, from, '203.0.113.9')).toEqual([
      429, 429, 401,
    ])
  })

  it('a chain of trusted proxies leads to the one before it', async () => {
    const spent = [
      '192.0.2.4, 10.0.0.1',
      '192.0.2.4, 10.0.0.1, 10.0.0.2',
      '192.0.2.4, ::ffff:10.0.0.7, 127.0.0.1',
    ]
    expect(await after(behindProxies, spent, '192.0.2.4', '192.0.2.5, 10.0.0.1')).toEqual([429, 401])
  })

  it('several headers are one list', async () => {
    const spent = [
      ['198.51.100.2', '192.0.2.6'],
      ['198.51.100.3, 198.51.100.4', '192.0.2.6, 10.0.0.1'],
      ['192.0.2.6', '10.0.0.1', '10.0.0.2'],
    ]
    expect(await after(behindProxies, spent, '192.0.2.6', '198.51.100.2')).toEqual([429, 401])
  })

  it('an entry that is no address counts for the proxy that passed it on', async () => {
    const spent = ['unknown', `${'9'.repeat(4_000)}`, '1.2.3, 10.0.0.3']
    expect(await after(behindProxies, spent.slice(0, 2).concat(''), 'something else', '192.0.2.7')).toEqual([
      429, 401,
    ])
    expect(
      await after(behindProxies, ['1.2.3, 10.0.0.3', 'x, 10.0.0.3', '_y, 10.0.0.3'], 'z, 10.0.0.3'),
    ).toEqual([429])
  })

  it('a port is no other client, nor is another spelling', async () => {
    const spent = ['192.0.2.8:1001', '192.0.2.8:1002', '::ffff:192.0.2.8']
    expect(await after(behindProxies, spent, '192.0.2.8', '::ffff:c000:208', '[::ffff:192.0.2.8]:9')).toEqual(
      [429, 429, 429],
    )
  })

  it('of IPv6 a whole network counts as one', async () => {
    const spent = ['2001:db8:1:1::1', '[2001:db8:1:1:ffff::2]:443', '2001:0DB8:0001:0001::3']
    expect(await after(behindProxies, spent, '2001:db8:1:1:9:9:9:9', '2001:db8:1:2::1')).toEqual([429, 401])
  })

  it('without the header it is the proxy itself', async () => {
    expect((await fetch(`${behindProxies.origin}/healthz`)).status).toBe(200)
    // Spent above, by entries that said nothing.
    expect(await guess(behindProxies, '')).toBe(429)
  })
})

describe('where nobody is trusted', () => {
  it('the header gives nobody a limit of his own', async () => {
    expect(await after(alone, ['192.0.2.1', '192.0.2.2', ''], '192.0.2.3', '127.0.0.1')).toEqual([429, 429])
  })
})
