import { startTestServer, type TestServer } from '@corridor/testkit/index.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bootstrap, type Credentials, firstCall, operatorKeyCheck } from './bootstrap.ts'

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
    expect(await operatorKeyCheck(server.engine)(credentials.operatorKey)).toBe(true)
  })

  it('has set up three sandbox platforms that differ in what an operator decides', () => {
    const { platforms, baseUrl } = credentials
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
    const keys = platforms.map(({ webhookPublicKey }) => webhookPublicKey)
    for (const key of keys) expect(key).toContain('BEGIN PUBLIC KEY')
    expect(new Set(keys).size).toBe(3)
    const told = (showsSecrets: boolean) => firstCall(credentials, '/data/credentials.json', { showsSecrets })
    expect(told(true)).toContain(platforms[0]!.clientSecret)
    const secrets = [
      credentials.operatorKey,
      credentials.operatorJoinCode,
      ...platforms.map(({ clientSecret }) => clientSecret),
    ]
    for (const secret of secrets) expect(told(false)).not.toContain(secret)
    expect(told(false)).toContain('/data/credentials.json')
  })

  it('changes nothing on later starts', async () => {
    const later = await bootstrap(server.engine, { operatorKey: undefined, save: refuse })
    expect(later.credentials).toBeUndefined()
    expect(await operatorKeyCheck(server.engine)(credentials.operatorKey)).toBe(true)
    expect(await statusesOf(credentials)).toEqual([200, 200, 200])
  })

  it('takes another operator key when it is given one, and the old one ends in every process within two seconds', async () => {
    const given = 'second-operator-key-0'
    const otherProcess = operatorKeyCheck(server.engine)
    expect(await otherProcess(credentials.operatorKey)).toBe(true)
    await bootstrap(server.engine, { operatorKey: given, save: refuse })
    server.world.passMs(2_000)
    expect(await otherProcess(credentials.operatorKey)).toBe(false)
    expect(await otherProcess(given)).toBe(true)
    await bootstrap(server.engine, { operatorKey: undefined, save: refuse })
    expect(await operatorKeyCheck(server.engine)(given)).toBe(true)
  })

  it('refuses to start with an operator key that was replaced, which would bring it back', async () => {
    const started = bootstrap(server.engine, { operatorKey: credentials.operatorKey, save: refuse })
    await expect(started).rejects.toThrow('has been replaced by another')
    expect(await operatorKeyCheck(server.engine)(credentials.operatorKey)).toBe(false)
  })
})
