import { startTestServer, type TestServer } from '@corridor/testkit/index.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bootstrap, type Credentials, firstCall } from './bootstrap.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

const refuse = () => {
  throw new Error('credentials are saved once')
}

async function statusesOf({ platforms }: Credentials): Promise<number[]> {
  return Promise.all(
    platforms.map(async (platform) => (await server.client(platform).GET('/tokens')).response.status),
  )
}

describe('bootstrap', () => {
  let credentials: Credentials

  it('begins again after a crash before the credentials were saved, and leaves no token behind', async () => {
    const crash = () => {
      throw new Error('disk full')
    }
    await expect(bootstrap(server.engine, { operatorKey: undefined, save: crash })).rejects.toThrow(
      'disk full',
    )
    const saved: Credentials[] = []
    const second = await bootstrap(server.engine, {
      operatorKey: undefined,
      save: (made) => saved.push(made),
    })
    credentials = second.credentials!
    expect(saved).toEqual([credentials])
    expect(await statusesOf(credentials)).toEqual([200, 200, 200])
    const { data } = await server.client(credentials.platforms[0]!).GET('/tokens')
    expect(data!.data).toHaveLength(1)
    expect(server.engine.keys.matchesSecret(credentials.operatorKey, second.operatorKeyHash)).toBe(true)
  })

  it('has set up three sandbox platforms that differ in what an operator decides', () => {
    const { platforms, baseUrl, webhookPublicKey } = credentials
    expect(
      platforms.map(({ name, environment, regulated, skipPaperwork }) => [
        name,
        environment,
        regulated,
        skipPaperwork,
      ]),
    ).toEqual([
      ['acme', 'SANDBOX', false, false],
      ['breeze', 'SANDBOX', false, true],
      ['civic', 'SANDBOX', true, false],
    ])
    expect(baseUrl).toBe(server.baseUrl)
    expect(webhookPublicKey).toContain('BEGIN PUBLIC KEY')
    expect(firstCall(credentials, '/data/credentials.json')).toContain(platforms[0]!.clientSecret)
  })

  it('changes nothing on later starts', async () => {
    const later = await bootstrap(server.engine, { operatorKey: undefined, save: refuse })
    expect(later.credentials).toBeUndefined()
    expect(server.engine.keys.matchesSecret(credentials.operatorKey, later.operatorKeyHash)).toBe(true)
    expect(await statusesOf(credentials)).toEqual([200, 200, 200])
  })

  it('takes another operator key when it is given one, and keeps it', async () => {
    const given = 'second-operator-key-0'
    const later = await bootstrap(server.engine, { operatorKey: given, save: refuse })
    const { keys } = server.engine
    expect(keys.matchesSecret(given, later.operatorKeyHash)).toBe(true)
    expect(keys.matchesSecret(credentials.operatorKey, later.operatorKeyHash)).toBe(false)
    expect(await bootstrap(server.engine, { operatorKey: undefined, save: refuse })).toEqual(later)
  })
})
