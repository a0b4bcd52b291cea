import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { request } from 'node:http'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildServer } from '@corridor/testkit/built-server.ts'
import { freePort } from '@corridor/testkit/free-port.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const directory = mkdtempSync(join(tmpdir(), 'corridor-process-'))
const dataDirectory = join(directory, 'data')
const root = join(import.meta.dirname, '../..')

beforeAll(buildServer)

interface Running {
  readonly process: ChildProcess
  readonly output: () => { readonly log: string; readonly terminal: string }
  /** The exit code, once it has ended. */
  readonly exit: Promise<number | null>
}

const started: ChildProcess[] = []

function start(environment: Record<string, string>, program: 'main' | 'audit' = 'main'): Running {
  const child = spawn(process.execPath, [join(root, `apps/server/dist/${program}.js`)], {
    env: { PATH: process.env.PATH ?? '', CORRIDOR_DATA_DIR: dataDirectory, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  started.push(child)
  let log = ''
  let terminal = ''
  child.stdout.on('data', (chunk) => {
    log += chunk
  })
  child.stderr.on('data', (chunk) => {
    terminal += chunk
  })
  return {
    process: child,
    output: () => ({ log, terminal }),
    exit: once(child, 'close').then(([code]) => code as number | null),
  }
}

/** Waits for the line that says it is ready, or fails with what it said instead. */
async function ready(running: Running): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const look = () => running.output().log.includes('"msg":"ready"') && resolve()
    running.process.stdout!.on('data', look)
    running.process.once('close', () => reject(new Error(JSON.stringify(running.output()))))
    look()
  })
}

interface Credentials {
  readonly operatorKey: string
  readonly baseUrl: string
  readonly platforms: readonly { readonly name: string; clientId: string; clientSecret: string }[]
}

const credentialsPath = join(dataDirectory, 'credentials.json')
const readCredentials = () => JSON.parse(readFileSync(credentialsPath, 'utf8')) as Credentials

function authorization({ platforms }: Credentials): string {
  const { clientId, clientSecret } = platforms[0]!
  return `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`
}

afterAll(() => {
  for (const child of started) child.kill('SIGKILL')
  rmSync(directory, { recursive: true, force: true })
})

describe('a process', () => {
  let port: number
  let running: Running
  beforeAll(async () => {
    port = await freePort()
    running = start({ PORT: String(port) })
    await ready(running)
    // Making a cluster is the one slow step, and a busy machine may take its time.
  }, 180_000)
  const get = (path: string, headers: Record<string, string> = {}) =>
    fetch(`http://localhost:${port}${path}`, { headers })
  /** To its end: an answer that nobody reads is a request under way, and a stop waits for it. */
  const read = async (path: string) => {
    const answer = await get(path)
    return { status: answer.status, body: await answer.arrayBuffer() }
  }

  it('answers probes, metrics, the document and its rendering without credentials', async () => {
    expect(await (await get('/healthz')).json()).toEqual({ status: 'ok' })
    expect(await (await get('/readyz')).json()).toEqual({ status: 'ready' })
    expect(await (await get('/metrics')).text()).toContain('corridor_http_request_duration_seconds')
    const document = await (await get('/2025-10-13/openapi.json')).json()
    expect(document).toMatchObject({
      openapi: '3.1.0',
      info: { version: '2025-10-13', contact: { url: `http://localhost:${port}/docs` } },
      servers: [{ url: `http://localhost:${port}/2025-10-13` }],
    })
    for (const address of ['/docs/try', '/docs/guides/first-payment']) {
      const answer = await get(address)
      expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'")
      const page = await answer.text()
      const loaded = [...page.matchAll(/<(?:script|link|img)[^>]+(?:src|href)="([^"]+)"/g)]
      expect(loaded.length, address).toBeGreaterThan(2)
      for (const [, path] of loaded) expect((await read(path!)).status, path).toBe(200)
      if (address === '/docs/try') expect(page).not.toMatch(/https?:\/\//)
    }
  })

  it('serves the documentation: guides first, each page as Markdown too, and an index for models', async () => {
    expect(await (await get('/docs')).text()).toContain('href="/docs/guides/first-payment"')
    const twin = await get('/docs/guides/first-payment.md')
    expect(twin.headers.get('content-type')).toBe('text/markdown; charset=utf-8')
    expect(await twin.text()).toMatch(/^# The first payment/)
    expect(await (await get('/llms.txt')).text()).toContain('(/docs/guides/first-payment.md)')
    for (const path of ['/docs/..%2f..%2fmain.js', '/docs/guides', '/docs/guides/first-payment.html']) {
      expect((await read(path)).status, path).toBe(404)
    }
  })

  it('serves the page of the console, and errors of the API below the addresses of its API', async () => {
    expect(await (await get('/console/acme/sandbox/payments')).text()).toMatch(/^<!doctype html>/i)
    const nobody = '00000000-0000-0000-0000-000000000000'
    for (const path of [
      '/console/api/none',
      '/console/api/operator',
      `/console/api/${nobody}/sandbox/2025-10-13`,
      `/console/api/${nobody}/sandbox/2025-10-13/none`,
      `/console/api/${nobody}/nowhere/2025-10-13/config`,
      '/console/session/none',
    ]) {
      const answer = await get(path)
      expect(answer.headers.get('content-type'), path).toContain('application/json')
      expect(await answer.json(), path).toMatchObject({
        status: 404,
        code: 'REFERENCE_NOT_FOUND',
        details: { resourceType: 'route' },
      })
    }
  })

  it('leaves credentials for its owner alone, with which the first call works', async () => {
    for (const name of ['credentials.json', 'master.key']) {
      expect(statSync(join(dataDirectory, name)).mode & 0o777, name).toBe(0o600)
    }
    const credentials = readCredentials()
    expect(credentials.platforms.map(({ name }) => name)).toEqual(['acme', 'breeze', 'civic'])
    expect(credentials.baseUrl).toBe(`http://localhost:${port}/2025-10-13`)
    const { terminal } = running.output()
    const [, user, url] = /curl -u (\S+) \\\n\s+(\S+)/.exec(terminal)!
    // Its output is not a terminal, and may be kept.
    expect(user).toBe("'<clientId>:<clientSecret>'")
    expect(terminal).not.toContain(credentials.platforms[0]!.clientSecret)
    expect(terminal).toContain(join(dataDirectory, 'credentials.json'))
    const answer = await fetch(url!, { headers: { authorization: authorization(credentials) } })
    expect([answer.status, await answer.json()]).toEqual([200, expect.any(Object)])
  })

  it('keeps a second process off its data, and says who has it', async () => {
    const second = start({ PORT: String(await freePort()) })
    expect(await second.exit).toBe(2)
    expect(second.output().terminal).toContain(`in use by process ${running.process.pid}`)
  })

  it('finishes a request under way when told to stop, then ends with 0', async () => {
    const credentials = readCredentials()
    const body = JSON.stringify({ name: 'late', permissions: ['VIEW'] })
    const call = request(`${credentials.baseUrl}/tokens`, {
      method: 'POST',
      headers: {
        authorization: authorization(credentials),
        'content-type': 'application/json',
        'content-length': body.length,
        expect: '100-continue',
      },
    })
    const answered = once(call, 'response')
    call.flushHeaders()
    await once(call, 'continue')
    // Balancers and browsers hold connections on which nothing has been asked yet.
    const silent = connect(port, 'localhost')
    await once(silent, 'connect')
    silent.on('error', () => {})
    running.process.kill('SIGTERM')
    await new Promise<void>((resolve) => {
      running.process.stdout!.on('data', () => {
        if (running.output().log.includes('"msg":"stopping"')) resolve()
      })
    })
    call.end(body)
    const [response] = (await answered) as [{ statusCode: number; resume(): void }]
    response.resume()
    expect(response.statusCode).toBe(201)
    expect(await running.exit).toBe(0)
  })

  it('logs JSON lines without a secret, and that its database may not survive a power cut', () => {
    const { log } = running.output()
    expect(log).toContain('runs without fsync')
    const lines = log.trim().split('\n')
    for (const line of lines) expect(JSON.parse(line)).toHaveProperty('msg')
    const credentials = readCredentials()
    const secrets = [
      credentials.operatorKey,
      ...credentials.platforms.map(({ clientSecret }) => clientSecret),
    ]
    for (const secret of secrets) expect(log).not.toContain(secret)
    expect(log).not.toContain(authorization(credentials))
    expect(lines.at(-1)).toContain('"msg":"stopped"')
  })

  it('says so when the port is taken', async () => {
    const holder = createServer().listen(port, 'localhost')
    await once(holder, 'listening')
    const refused = start({ PORT: String(port) })
    expect(await refused.exit).toBe(2)
    expect(refused.output().terminal).toContain(`Port ${port} is in use`)
    holder.close()
    await once(holder, 'close')
  })

  it('finds everything again after a restart, and prints no credentials a second time', async () => {
    const before = readCredentials()
    const again = start({ PORT: String(port) })
    await ready(again)
    expect(readCredentials()).toEqual(before)
    const answer = await get('/2025-10-13/tokens', { authorization: authorization(before) })
    const { data } = (await answer.json()) as { data: { name: string }[] }
    expect(data.map(({ name }) => name)).toEqual(['late', 'First token'])
    expect(again.output().terminal).toBe('')
    again.process.kill('SIGINT')
    expect(await again.exit).toBe(0)
  })

  it('keeps the operator API and the metrics on a port of their own where it is told one', async () => {
    const operatorPort = await freePort()
    const apart = start({ PORT: String(port), CORRIDOR_OPERATOR_PORT: String(operatorPort) })
    await ready(apart)
    const credentials = readCredentials()
    const headers = { authorization: `Bearer ${credentials.operatorKey}` }
    const ask = async (at: number, path: string, more: Record<string, string>) => {
      const answer = await fetch(`http://localhost:${at}${path}`, { headers: more })
      await answer.arrayBuffer()
      return answer.status
    }
    const login = { authorization: authorization(credentials) }
    const asked: readonly [string, Record<string, string>][] = [
      ['/operator/platforms', headers],
      ['/metrics', {}],
      ['/2025-10-13/tokens', login],
      ['/docs', {}],
      ['/healthz', {}],
    ]
    for (const [path, more] of asked) {
      const isOfOperator = path === '/operator/platforms' || path === '/metrics'
      const expected = path === '/healthz' ? [200, 200] : isOfOperator ? [404, 200] : [200, 404]
      expect([await ask(port, path, more), await ask(operatorPort, path, more)], path).toEqual(expected)
    }
    const join = async (at: number) => {
      const headers = { 'content-type': 'application/json' }
      const url = `http://localhost:${at}/operator/join`
      const body = JSON.stringify({ joinCode: 'x'.repeat(43) })
      return (await fetch(url, { method: 'POST', headers, body })).status
    }
    expect([await join(port), await join(operatorPort)]).toEqual([404, 401])
    const metrics = await (await fetch(`http://localhost:${operatorPort}/metrics`)).text()
    expect(metrics, 'counts what the other port was asked').toContain('operation="listTokens"')
    apart.process.kill('SIGTERM')
    expect(await apart.exit).toBe(0)
  })

  it('has books that add up, which the audit program says without the server', async () => {
    const audit = start({}, 'audit')
    expect(await audit.exit).toBe(0)
    expect(JSON.parse(audit.output().log)).toMatchObject({ sound: true, problems: [] })
  })

  it('audits no books where there are none, and makes none', async () => {
    const elsewhere = join(directory, 'elsewhere')
    const audit = start({ CORRIDOR_DATA_DIR: elsewhere }, 'audit')
    expect(await audit.exit).toBe(2)
    expect(audit.output().terminal).toMatch(/^No ledger found in .*elsewhere.*CORRIDOR_DATA_DIR/)
    expect(existsSync(elsewhere)).toBe(false)
  })

  it('refuses another master key than the one the data was made with', async () => {
    const refused = start({ PORT: String(port), CORRIDOR_MASTER_KEY: 'ab'.repeat(32) })
    expect(await refused.exit).toBe(2)
    expect(refused.output().terminal).toContain('The master key does not match')
  })

  it('holds production platforms on the embedded database only by a flag, and sends theirs to public addresses', async () => {
    const allowed = { PORT: String(port), CORRIDOR_ALLOW_EMBEDDED_PRODUCTION: 'on' }
    const lenient = start(allowed)
    await ready(lenient)
    const { operatorKey, baseUrl } = readCredentials()
    const post = async (url: string, authorization: string, body: object) => {
      const headers = { authorization, 'content-type': 'application/json' }
      const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
      return (await answer.json()) as Record<string, unknown>
    }
    /** What a test webhook to this address, of a new platform in this environment, comes to. */
    const deliver = async (environment: string, webhookEndpoint: string) => {
      const platform = { name: `sends in ${environment}`, environment }
      const made = await post(
        `http://localhost:${port}/operator/platforms`,
        `Bearer ${operatorKey}`,
        platform,
      )
      const login = authorization({ platforms: [made.token] } as never)
      const configured = await fetch(`${baseUrl}/config`, {
        method: 'PATCH',
        headers: { authorization: login, 'content-type': 'application/json' },
        body: JSON.stringify({ webhookEndpoint }),
      })
      expect(configured.status).toBe(200)
      return post(`${baseUrl}/webhooks/test`, login, {})
    }
    // Its own address serves as an endpoint: it answers POST with a refusal, which is an answer.
    expect(await deliver('SANDBOX', `http://localhost:${port}/healthz`)).toMatchObject({
      response_status: 405,
    })
    expect(await deliver('PRODUCTION', `https://localhost:${port}/healthz`)).toMatchObject({
      code: 'WEBHOOK_DELIVERY_ERROR',
      details: { reason: 'PRIVATE_ADDRESS' },
    })
    lenient.process.kill('SIGTERM')
    expect(await lenient.exit).toBe(0)

    const strict = start({ PORT: String(port) })
    expect(await strict.exit).toBe(2)
    expect(strict.output().terminal).toContain('CORRIDOR_ALLOW_EMBEDDED_PRODUCTION=on')
  })
})

describe('a process with a wrong configuration', () => {
  it('names everything that is wrong and ends with 2 before it touches anything', async () => {
    const untouched = join(directory, 'untouched')
    const refused = start({
      PORT: 'http',
      CORRIDOR_RATE_LIMITS: 'maybe',
      CORRIDOR_ROLE: 'worker',
      CORRIDOR_DATA_DIR: untouched,
    })
    expect(await refused.exit).toBe(2)
    const { terminal } = refused.output()
    for (const name of ['PORT', 'CORRIDOR_RATE_LIMITS', 'CORRIDOR_ROLE']) expect(terminal).toContain(name)
    expect(() => statSync(untouched)).toThrow('ENOENT')
  })
})
