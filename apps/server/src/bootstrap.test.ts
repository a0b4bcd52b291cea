import { startTestServer, type TestServer } from '@corridor/testkit/index.ts'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { bootstrap, type Credentials, firstCall } from './bootstrap.ts'

let server: TestServer
beforeEach(async () => {
  server = await startTestServer()
})
afterEach(() => server.close())

const ignore = () => {}

async function statusesOf({ platforms }: Credentials): Promise<number[]> {
  return Promise.all(
    platforms.map(async (platform) => (await server.client(platform).GET('/tokens')).response.status),
  )
}

describe('bootstrap', () => {
  it('sets up three sandbox platforms that differ in what an operator decides', async () => {
    let saved: Credentials | undefined
    const { credentials, operatorKeyHash } = await bootstrap(server.engine, {
      operatorKey: undefined,
      save: (made) => {
        saved = made
      },
    })
    expect(saved).toEqual(credentials)
    expect(
      saved!.platforms.map(({ name, environment, regulated, skipPaperwork }) => [
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
    expect(saved!.baseUrl).toBe(server.baseUrl)
    expect(saved!.webhookPublicKey).toContain('BEGIN PUBLIC KEY')
    expect(server.engine.keys.matchesSecret(saved!.operatorKey, operatorKeyHash)).toBe(true)
    expect(await statusesOf(saved!)).toEqual([200, 200, 200])
    expect(firstCall(saved!, '/data/credentials.json')).toContain(saved!.platforms[0]!.clientSecret)
  })

  it('begins again after a crash before the credentials were saved, and leaves no token behind', async () => {
    const crash = () => {
      throw new Error('disk full')
    }
    await expect(bootstrap(server.engine, { operatorKey: undefined, save: crash })).rejects.toThrow(
      'disk full',
    )
    const { credentials } = await bootstrap(server.engine, { operatorKey: undefined, save: ignore })
    expect(await statusesOf(credentials!)).toEqual([200, 200, 200])
    const { data } = await server.client(credentials!.platforms[0]!).GET('/tokens')
    expect(data!.data).toHaveLength(1)
  })

  it('changes nothing on later starts', async () => {
    const first = await bootstrap(server.engine, { operatorKey: undefined, save: ignore })
    const later = await bootstrap(server.engine, { operatorKey: undefined, save: ignore })
    expect(later).toEqual({ operatorKeyHash: first.operatorKeyHash })
    expect(await statusesOf(first.credentials!)).toEqual([200, 200, 200])
  })

  it('takes the operator key it is given, and a new one on a later start', async () => {
    const first = await bootstrap(server.engine, { operatorKey: 'first-operator-key-00', save: ignore })
    expect(first.credentials!.operatorKey).toBe('first-operator-key-00')
    const later = await bootstrap(server.engine, { operatorKey: 'second-operator-key-0', save: ignore })
    const { keys } = server.engine
    expect(keys.matchesSecret('second-operator-key-0', later.operatorKeyHash)).toBe(true)
    expect(keys.matchesSecret('first-operator-key-00', later.operatorKeyHash)).toBe(false)
    expect(await bootstrap(server.engine, { operatorKey: undefined, save: ignore })).toEqual(later)
  })
})
