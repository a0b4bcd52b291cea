import { must, startTestServer, type TestServer } from '@corridor/testkit/index.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

// Webhooks-uma 6.1: whose proxy subdomain it is, where domains begin alike.

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ baseUrl: 'https://corridor.example' })
})
afterAll(() => server.close())

/** A platform with a domain, which can be changed. */
async function tenant(environment: 'SANDBOX' | 'PRODUCTION', umaDomain: string) {
  const api = server.client(await server.platform({ environment }))
  const take = (domain: string) => must(api.PATCH('/config', { body: { umaDomain: domain } as never }))
  await take(umaDomain)
  return { take }
}

/** The domain that a host of the installation stands for; its status where it stands for none. */
async function domainAt(label: string) {
  const host = `${label}.corridor.example`
  const response = await server.fetch(`https://${host}/.well-known/uma-configuration`, { headers: { host } })
  return response.status === 200 ? ((await response.json()) as { name: string }).name : response.status
}

describe('a proxy subdomain', () => {
  it('stays with the platform that had it first', async () => {
    const first = await tenant('SANDBOX', 'pay.zebra.example')
    expect(await domainAt('pay')).toBe('pay.zebra.example')
    const second = await tenant('SANDBOX', 'pay.apple.example')
    expect(await domainAt('pay')).toBe('pay.zebra.example')
    await first.take('other.zebra.example')
    expect(await domainAt('pay')).toBe('pay.apple.example')
    expect(await domainAt('other')).toBe('other.zebra.example')
    // Who comes back stands at the end.
    await first.take('pay.zebra.example')
    expect(await domainAt('pay')).toBe('pay.apple.example')
    await second.take('gone.apple.example')
    expect(await domainAt('pay')).toBe('pay.zebra.example')
  })

  it('belongs to production before the sandbox, whoever came first', async () => {
    await tenant('SANDBOX', 'bank.squatter.example')
    expect(await domainAt('bank')).toBe('bank.squatter.example')
    await tenant('PRODUCTION', 'bank.prodbank.example')
    expect(await domainAt('bank')).toBe('bank.prodbank.example')
    await tenant('SANDBOX', 'bank.attacker.example')
    expect(await domainAt('bank')).toBe('bank.prodbank.example')
  })
})
