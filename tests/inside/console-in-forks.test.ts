import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { apiVersion } from '@corridor/engine/vocabulary/version.ts'
import { silentLog } from '@corridor/kernel'
import { layMigratedCluster } from '@corridor/testkit/migrated-cluster.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readConfig } from '../../apps/server/src/config.ts'
import { openDataDirectory } from '../../apps/server/src/data-directory.ts'
import { realWorld } from '../../apps/server/src/real-world.ts'
import { type Installation, startInstallation } from '../../apps/server/src/wiring.ts'
import { basic, type Credentials, json } from '../e2e/raw-calls.ts'
import { sharedForms } from './shared-forms.ts'

/** Who looks into a fork with the console: whoever may in the main world, and nobody by what was copied (docs/adr/0040). */

interface Platform extends Credentials {
  readonly name: string
  readonly platformId: string
}

interface Asked {
  readonly method?: string
  readonly cookie?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: object
}

describe('the console in a fork', () => {
  let installation: Installation
  let acme: Platform
  let breeze: Platform
  let operator: { readonly authorization: string }
  const directory = mkdtempSync(join(tmpdir(), 'corridor-forks-'))

  async function ask(path: string, { method = 'GET', cookie, headers = {}, body }: Asked = {}) {
    const response = await fetch(installation.address + path, {
      method,
      headers: {
        'x-corridor-console': '1',
        ...(cookie === undefined ? {} : { cookie }),
        ...(body ? json : {}),
        ...headers,
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    const text = await response.text()
    return { status: response.status, headers: response.headers, body: text === '' ? {} : JSON.parse(text) }
  }

  const cookieOf = ({ headers }: { readonly headers: Headers }) => headers.get('set-cookie')!.split(';')[0]!
  const signIn = async (authorization: string) =>
    cookieOf(await ask('/console/session', { method: 'POST', headers: { authorization } }))
  const signOut = (cookie: string) => ask('/console/session', { method: 'DELETE', cookie })
  const inFork = ({ platformId }: Platform, path: string, of = 'sandbox@side') =>
    `/console/api/${platformId}/${of}/${apiVersion}${path}`
  /** As a program asks, in a fork or in the main world. */
  const program = (who: Credentials, path: string, more: Asked = {}, world = '') =>
    ask(`${world}/${apiVersion}${path}`, { ...more, headers: { authorization: basic(who) } })
  const hire = async (role: string) => {
    const body = { name: role, role }
    const made = await ask('/operator/operators', { method: 'POST', headers: operator, body })
    const joined = await ask('/operator/join', { method: 'POST', body: { joinCode: made.body.joinCode } })
    return `Bearer ${joined.body.key}`
  }
  const customer = {
    customerType: 'INDIVIDUAL',
    region: 'US',
    currencies: ['USD'],
    email: 'greta@example.test',
    platformCustomerId: 'of-the-fork',
  }

  beforeAll(async () => {
    layMigratedCluster(directory)
    const config = readConfig({
      CORRIDOR_DATA_DIR: directory,
      CORRIDOR_WORLDS: 'on',
      CORRIDOR_RATE_LIMITS: 'off',
    })
    installation = await startInstallation(
      { ...config, port: 0, host: '127.0.0.1' },
      realWorld(silentLog),
      openDataDirectory(directory),
      sharedForms(config),
    )
    const made = JSON.parse(readFileSync(join(directory, 'credentials.json'), 'utf8'))
    operator = { authorization: `Bearer ${made.operatorKey}` }
    const find = (name: string) => made.platforms.find((platform: Platform) => platform.name === name)
    const known = async (platform: Platform) => {
      const cookie = await signIn(basic(platform))
      const { body } = await ask('/console/session', { cookie })
      return { ...platform, platformId: body.platformId as string }
    }
    acme = await known(find('acme'))
    breeze = await known(find('breeze'))
    const forked = await program(acme, '/sandbox/worlds', { method: 'POST', body: { name: 'side' } })
    expect(forked.status).toBe(201)
  }, 180_000)
  afterAll(async () => {
    await installation.stop()
    rmSync(directory, { recursive: true, force: true })
  })

  it('sees and does what is there, with the session of the main world', async () => {
    const cookie = await signIn(basic(acme))
    const made = await ask(inFork(acme, '/customers'), { method: 'POST', cookie, body: customer })
    expect(made.status).toBe(201)
    const there = await ask(inFork(acme, `/customers/${made.body.id}`), { cookie })
    expect(there).toMatchObject({ status: 200, body: { platformCustomerId: 'of-the-fork' } })
    // As programs see it: in the fork alone.
    expect((await program(acme, `/customers/${made.body.id}`, {}, '/w/side')).status).toBe(200)
    expect((await program(acme, `/customers/${made.body.id}`)).status).toBe(404)
    expect((await ask(inFork(acme, `/customers/${made.body.id}`, 'sandbox'), { cookie })).status).toBe(404)
    // What a page reads is packed as in the main world, and kept by nobody.
    const { headers } = await ask(inFork(acme, '/discoveries'), {
      cookie,
      headers: { 'accept-encoding': 'gzip' },
    })
    expect(headers.get('content-encoding')).toBe('gzip')
    expect(headers.get('cache-control')).toBe('no-store')
  }, 60_000)

  it('lets in who is signed in to that platform in the main world, and nobody else', async () => {
    const [ofAcme, ofBreeze] = [await signIn(basic(acme)), await signIn(basic(breeze))]
    expect(await ask(inFork(acme, '/config'), { cookie: ofBreeze })).toMatchObject({
      status: 403,
      body: { details: { reason: 'OTHER_PLATFORM' } },
    })
    expect(await ask(inFork(acme, '/config'))).toMatchObject({ status: 401 })
    // No credential of the API either.
    expect(await ask(inFork(acme, '/config'), { headers: { authorization: basic(acme) } })).toMatchObject({
      status: 401,
    })
    // And the API of the fork takes no cookie.
    expect((await ask(`/w/side/${apiVersion}/config`, { cookie: ofAcme })).status).toBe(401)
    expect((await ask(inFork(acme, '/config'), { cookie: ofAcme })).status).toBe(200)
  }, 60_000)

  it('counts no session that was copied with it, and ends with that of the main world', async () => {
    const cookie = await signIn(basic(acme))
    await program(acme, '/sandbox/worlds', { method: 'POST', body: { name: 'copied' } })
    const address = inFork(acme, '/config', 'sandbox@copied')
    expect((await ask(address, { cookie })).status).toBe(200)
    expect((await signOut(cookie)).status).toBe(204)
    // The database of the fork has it as it was.
    expect((await ask(address, { cookie })).status).toBe(401)
    expect((await ask(inFork(acme, '/config'), { cookie })).status).toBe(401)
    await program(acme, '/sandbox/worlds/copied', { method: 'DELETE' })
  }, 60_000)

  it('gives the permissions of the main world, whatever they are in the fork, and none of its entries lead there', async () => {
    const create = { method: 'POST', body: { name: 'reader', permissions: ['VIEW'] } }
    const reader = (await program(acme, '/tokens', create)).body
    const cookie = await signIn(basic(reader))
    const taking = { method: 'POST', cookie, body: customer }
    expect(await ask(inFork(acme, '/customers'), taking)).toMatchObject({
      status: 403,
      body: { details: { requiredPermission: 'MANAGE' } },
    })
    expect((await ask(inFork(acme, '/config'), { cookie })).status).toBe(200)
    // It was made after the fork, and is none of its tokens; one of the fork is none of the main world.
    const made = await program(
      acme,
      '/tokens',
      { method: 'POST', body: { name: 'of the fork', permissions: ['VIEW', 'TRANSACT', 'MANAGE'] } },
      '/w/side',
    )
    expect(made.status).toBe(201)
    expect((await program(made.body, '/config', {}, '/w/side')).status).toBe(200)
    const authorization = basic(made.body)
    for (const path of ['/console/session', '/w/side/console/session', '/console/start-link']) {
      const { status, headers } = await ask(path, { method: 'POST', headers: { authorization } })
      expect([401, 404], path).toContain(status)
      expect(headers.get('set-cookie'), path).toBeNull()
    }
    // Whoever is revoked in the main world is out of the fork as well.
    const { status } = await program(acme, `/tokens/${reader.id}`, { method: 'DELETE' })
    expect(status).toBe(204)
    expect((await ask(inFork(acme, '/config'), { cookie })).status).toBe(401)
  }, 60_000)

  it('refuses what another site has made a browser send', async () => {
    const cookie = await signIn(basic(acme))
    const crossSite = { status: 403, body: { details: { reason: 'CROSS_SITE' } } }
    for (const headers of [
      { origin: 'https://evil.test' },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
    ]) {
      const asked = await ask(inFork(acme, '/config'), { cookie, headers })
      expect(asked, JSON.stringify(headers)).toMatchObject(crossSite)
    }
    // A form sends no header of its own.
    const form = await fetch(installation.address + inFork(acme, '/customers'), {
      method: 'POST',
      headers: { cookie, ...json },
      body: JSON.stringify(customer),
    })
    expect({ status: form.status, body: await form.json() }).toMatchObject(crossSite)
  }, 60_000)

  it('is at no other address: none of production, of no fork, of what operators do', async () => {
    const cookie = await signIn(basic(acme))
    const asOperator = await signIn(operator.authorization)
    const nowhere = [
      inFork(acme, '/config', 'production@side'),
      inFork(acme, '/config', 'sandbox@Side'),
      inFork(acme, '/config', 'sandbox@'),
      inFork(acme, '/config', 'sandbox@side@side'),
      inFork(acme, '/config', 'sandbox%40side'),
      inFork(acme, '/config', `sandbox@${'a'.repeat(41)}`),
      `/console/api/${acme.platformId}/sandbox@side/operator/platforms`,
      '/console/api/operator@side/platforms',
      '/w/side/console/session',
      `/w/side${inFork(acme, '/config', 'sandbox')}`,
      `/w/side/%63onsole/api/${acme.platformId}/sandbox/${apiVersion}/config`,
    ]
    for (const path of nowhere) {
      for (const who of [cookie, asOperator]) {
        const asked = await ask(path, { cookie: who })
        expect(asked, path).toMatchObject({
          status: 404,
          body: { code: 'REFERENCE_NOT_FOUND', details: { resourceType: 'route' } },
        })
      }
    }
    for (const name of ['none', 'main']) {
      expect(await ask(inFork(acme, '/config', `sandbox@${name}`), { cookie })).toMatchObject({
        status: 404,
        body: { details: { resourceType: 'SandboxWorld', id: name } },
      })
    }
  }, 60_000)

  it('shows operators what they may see in the main world', async () => {
    const reviewer = await signIn(await hire('REVIEWER'))
    const viewer = await signIn(await hire('VIEWER'))
    expect((await ask(inFork(acme, '/config'), { cookie: reviewer })).status).toBe(200)
    const taking = { method: 'POST', cookie: reviewer, body: customer }
    expect((await ask(inFork(acme, '/customers'), taking)).status).toBe(403)
    expect((await ask(inFork(acme, '/config'), { cookie: viewer })).status).toBe(403)
  }, 60_000)

  it('knows no platform that it was made without, and what is missing is told to who may know', async () => {
    const body = { name: 'Later', environment: 'SANDBOX', defaultRegion: 'US' }
    const made = await ask('/operator/platforms', { method: 'POST', headers: operator, body })
    expect(made.status, JSON.stringify(made.body)).toBe(201)
    const later = { ...made.body, platformId: made.body.platformId ?? made.body.id } as Platform & {
      token?: Credentials
    }
    const cookies = [await signIn(basic(later.token ?? later)), await signIn(operator.authorization)]
    for (const cookie of cookies) {
      expect((await ask(inFork(later, '/config', 'sandbox'), { cookie })).status).toBe(200)
      expect(await ask(inFork(later, '/config'), { cookie })).toMatchObject({
        status: 404,
        body: { details: { resourceType: 'Platform', id: later.platformId } },
      })
    }
    expect((await ask(inFork(later, '/config'))).status).toBe(401)
  }, 60_000)

  it('tells what happens there, until the session ends', async () => {
    const cookie = await signIn(basic(acme))
    const over = new AbortController()
    const stream = await fetch(installation.address + inFork(acme, '/stream'), {
      headers: { cookie, accept: 'text/event-stream', 'x-corridor-console': 'background' },
      signal: over.signal,
    })
    expect(stream.status).toBe(200)
    const reader = stream.body!.pipeThrough(new TextDecoderStream()).getReader()
    let told = ''
    const until = async (text: string) => {
      while (!told.includes(text)) {
        const { done, value } = await reader.read()
        if (done) throw new Error(`the stream ended: ${told}`)
        told += value
      }
    }
    await until('event: ready')
    // What happens in the main world is none of its news.
    await program(acme, '/sandbox/clock/advance', { method: 'POST', body: { seconds: 60 } })
    await ask(inFork(acme, '/sandbox/clock/advance'), { method: 'POST', cookie, body: { seconds: 60 } })
    await until('event: clock')
    expect(told.match(/event: clock/g)).toHaveLength(1)
    await signOut(cookie)
    await ask(inFork(acme, '/config'), { cookie })
    await until('event: end')
    over.abort()
  }, 60_000)
})
