import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { build } from 'esbuild'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

/** What strangers install: the packed files, in an empty folder, without a network. */

const root = join(import.meta.dirname, '../..')
const directory = mkdtempSync(join(tmpdir(), 'corridor-installed-'))
const project = join(directory, 'project')
const run = promisify(execFile)

beforeAll(async () => {
  const packages = join(directory, 'packages')
  execFileSync(process.execPath, ['--import', 'tsx', 'scripts/pack.ts', packages], { cwd: root })
  mkdirSync(project)
  writeFileSync(join(project, 'package.json'), '{"name":"project","private":true}')
  const files = readdirSync(packages).filter((name) => name.endsWith('.tgz'))
  const paths = files.map((name) => join(packages, name))
  // A registry that does not exist: nothing is fetched, not even by mistake.
  const offline = ['--offline', '--registry=http://127.0.0.1:9', '--no-audit', '--no-fund']
  await run('npm', ['install', ...offline, ...paths], { cwd: project })
}, 300_000)
afterAll(() => rmSync(directory, { recursive: true, force: true }))

function write(name: string, text: string): string {
  writeFileSync(join(project, name), text)
  return name
}

const node = (name: string) => run(process.execPath, [name], { cwd: project, timeout: 120_000 })

describe('the packed SDK', () => {
  it('brings no dependency along but the server that is beside it', () => {
    const installed = readdirSync(join(project, 'node_modules')).filter((name) => !name.startsWith('.'))
    expect(installed.sort()).toEqual(['@corridor', 'corridor'])
    const { dependencies } = JSON.parse(
      readFileSync(join(project, 'node_modules/@corridor/sdk/package.json'), 'utf8'),
    )
    expect(dependencies).toBeUndefined()
  })

  it('starts a Corridor, pays, reads the webhook and moves the clock', async () => {
    const program = write(
      'pay.mjs',
      `import { Corridor, formatMoney } from '@corridor/sdk'
import { startCorridor } from '@corridor/sdk/testing'

const corridor = await startCorridor()
const { client } = corridor
const ana = await client.customers.create({ customerType: 'INDIVIDUAL', fullName: 'Ana Lopez', region: 'US', currencies: ['USD', 'EUR'] })
const [usd] = await client.customers.internalAccounts.list({ customerId: ana.id, currency: 'USD' }).first(1)
await client.sandbox.internalAccounts.fund(usd.id, { amount: 500000 })
async function pay(iban, key) {
  const payee = await client.customers.externalAccounts.create({ customerId: ana.id, currency: 'EUR',
    accountInfo: { accountType: 'EUR_ACCOUNT', iban, beneficiary: { beneficiaryType: 'INDIVIDUAL', fullName: 'Greta Lindholm', birthDate: '1979-04-02', nationality: 'SE' } } })
  const quote = await client.quotes.create({ source: { sourceType: 'ACCOUNT', accountId: usd.id },
    destination: { destinationType: 'ACCOUNT', accountId: payee.id }, lockedCurrencySide: 'SENDING', lockedCurrencyAmount: 100000, description: 'Studio rent' })
  await client.quotes.execute(quote.id, { idempotencyKey: key })
  return quote
}
const quote = await pay('DE89370400440532013000', 'rent-1')
const paid = await client.transactions.waitFor(quote.transactionId)
const event = await corridor.events.waitFor('OUTGOING_PAYMENT.COMPLETED', { where: ({ data }) => data.id === paid.id })
const again = await client.quotes.execute(quote.id, { idempotencyKey: 'rent-1' })
const refused = await client.quotes.execute('Quote:00000000-0000-7000-8000-000000000000').catch((error) => error)
const later = await corridor.clock.advance('2d')
console.log(JSON.stringify({
  paid: paid.status, sent: formatMoney(paid.sentAmount), event: event.type, again: again.id === quote.id,
  refused: refused instanceof Corridor.Error && refused.code, moved: later > new Date(Date.now() + 47 * 3600000),
}))
await corridor.stop()
`,
    )
    const { stdout } = await node(program)
    expect(JSON.parse(stdout)).toEqual({
      paid: 'COMPLETED',
      sent: '1,000.00 USD',
      event: 'OUTGOING_PAYMENT.COMPLETED',
      again: true,
      refused: 'QUOTE_NOT_FOUND',
      moved: true,
    })
  })

  it('makes the first payment and verifies a webhook with the code of the guides', async () => {
    const script = ['--import', 'tsx', 'scripts/first-hour.ts', join(directory, 'packages')]
    const { stdout } = await run(process.execPath, script, { cwd: root, timeout: 280_000 })
    expect(stdout).toContain('pay.mts: COMPLETED: Diego received 9,054.50 MXN')
    expect(stdout).toContain('receiver.mts: verified TEST, rejected')
  }, 300_000)

  it('is required as well as imported', async () => {
    const program = write(
      'required.cjs',
      `const { Corridor } = require('@corridor/sdk')
const { startCorridor } = require('@corridor/sdk/testing')
const client = new Corridor({ baseUrl: 'http://127.0.0.1:9/v', clientId: 'a', clientSecret: 'b', maxRetries: 0 })
client.config.get().catch((error) => console.log(error instanceof Corridor.ConnectionError, error.code, typeof startCorridor))`,
    )
    expect((await node(program)).stdout.trim()).toBe('true CONNECTION_FAILED function')
  })

  it('is bundled for a browser, where it asks for nothing of Node', async () => {
    const entry = write('browser.js', "export { Corridor } from '@corridor/sdk'")
    const { outputFiles, warnings } = await build({
      entryPoints: [join(project, entry)],
      bundle: true,
      minify: true,
      platform: 'browser',
      format: 'esm',
      write: false,
      logLevel: 'silent',
    })
    expect(warnings).toEqual([])
    const [file] = outputFiles
    expect(file!.text).not.toMatch(/\bnode:|\brequire\(/)
    expect(file!.contents.length).toBeLessThan(100_000)
  })

  it('types calls, answers, events and the details of errors, as ESM and as CommonJS', async () => {
    const source = `import { Corridor, formatMoney } from '@corridor/sdk'
import { startCorridor } from '@corridor/sdk/testing'

export async function play(corridor: Corridor, rawBody: Uint8Array, headers: Record<string, string>, usd: { id: string }) {
  const greta = await corridor.customers.create({ customerType: 'INDIVIDUAL', fullName: 'Greta Lindholm', region: 'SE', currencies: ['USD', 'EUR'] })
  const payee = await corridor.customers.externalAccounts.create({ customerId: greta.id, currency: 'EUR',
    accountInfo: { accountType: 'EUR_ACCOUNT', iban: 'DE89370400440532013000', beneficiary: { beneficiaryType: 'INDIVIDUAL', fullName: 'Greta Lindholm' } } })
  const quote = await corridor.quotes.create({ source: { sourceType: 'ACCOUNT', accountId: usd.id }, destination: { destinationType: 'ACCOUNT', accountId: payee.id },
    lockedCurrencySide: 'SENDING', lockedCurrencyAmount: 100_000, description: 'Studio rent' })
  const payment = await corridor.transactions.waitFor(quote.transactionId, { until: 'terminal', timeoutMs: 60_000 })
  for await (const t of corridor.transactions.list({ status: 'FAILED' })) if (t.type === 'OUTGOING') console.log(t.id, formatMoney(t.sentAmount, 'en'))
  const event = await corridor.webhooks.unwrap(rawBody, headers)
  if (event.type === 'OUTGOING_PAYMENT.COMPLETED') console.log(event.data.id, event.id, payment.status)
  try {
    await corridor.quotes.execute(quote.id, { idempotencyKey: 'k' })
  } catch (e) {
    if (e instanceof Corridor.Error && e.code === 'QUOTE_EXPIRED') { const at: string | undefined = e.details.expiresAt; return at }
    if (e instanceof Corridor.Error && e.retryable) return e.retryAfterMs
    throw e
  }
  // @ts-expect-error: there is no such field
  await corridor.customers.create({ customerType: 'INDIVIDUAL', surname: 'x' })
  // @ts-expect-error: no operation answers this
  await corridor.quotes.destroy(quote.id)
  return startCorridor
}
`
    for (const name of ['typed.mts', 'typed.cts']) write(name, source)
    const compiler = join(root, 'node_modules/typescript/bin/tsc')
    const options = [
      '--noEmit',
      '--strict',
      '--module',
      'nodenext',
      '--target',
      'es2022',
      '--lib',
      'es2023,dom',
    ]
    const types = ['--types', 'node', '--typeRoots', join(root, 'node_modules/@types')]
    const { stdout } = await run(
      process.execPath,
      [compiler, ...options, ...types, 'typed.mts', 'typed.cts'],
      {
        cwd: project,
      },
    ).catch((error) => error)
    expect(stdout).toBe('')
  })
})

describe('the packed command line', () => {
  const program = join(project, 'node_modules/.bin/corridor')
  const environment = { PATH: process.env.PATH ?? '', HOME: directory }
  const corridor = async (words: string) =>
    run(program, words.split(' '), { cwd: project, env: environment, timeout: 60_000 })
  let dev: ChildProcess
  beforeAll(async () => {
    dev = spawn(program, ['dev', '--port', '0'], { cwd: project, env: environment })
    let said = ''
    dev.stderr!.on('data', (chunk) => {
      said += chunk
    })
    await new Promise<void>((resolve, reject) => {
      dev.stdout!.on('data', (chunk) => String(chunk).includes('CORRIDOR_CLIENT_SECRET') && resolve())
      dev.once('close', () => reject(new Error(said)))
    })
    expect(said).toContain('COMPLETED  Transaction:')
    // Without a terminal the link, which signs in, is in a file.
    const [, path] = said.match(/console +the link is in (\S+)/)!
    expect(readFileSync(path!, 'utf8').trim()).toMatch(
      /^http:\/\/(localhost|127\.0\.0\.1):\d+\/console\/#t=[\w-]+\.[\w-]+$/,
    )
  }, 120_000)
  afterAll(async () => {
    const ended = once(dev, 'close')
    dev.kill('SIGTERM')
    await ended
    const { stdout } = await corridor('audit')
    expect(stdout).toMatch(/^✓ balanced: \d+ transfers/)
  }, 60_000)

  it('finds the sandbox that dev started in this folder, and what was paid there', async () => {
    const { stdout } = await corridor('transactions list --type OUTGOING --jsonl')
    expect(JSON.parse(stdout)).toMatchObject({ status: 'COMPLETED' })
    const checked = await corridor('doctor')
    expect(checked.stdout).toContain('and accepts the credentials')
    const refused = await corridor('customers get nobody').catch((error) => error)
    expect(refused).toMatchObject({ code: 1, stdout: '' })
    expect((await corridor('logs')).stdout).toContain('"msg":"ready"')
  })

  it('serves tools to an agent over standard input and output, who pays', async () => {
    const account = (await corridor('customers internal-accounts list --currency USD --quiet')).stdout.trim()
    const payee = (await corridor('customers external-accounts list --quiet')).stdout.trim()
    const client = new Client({ name: 'test', version: '1' })
    await client.connect(
      new StdioClientTransport({ command: program, args: ['mcp'], cwd: project, env: environment }),
    )
    const call = async (given: Record<string, unknown>) => {
      const { content } = await client.callTool({ name: 'pay', arguments: given })
      const [{ text }] = content as [{ text: string }]
      return JSON.parse(text.slice(text.indexOf('\n')))
    }
    const { confirm } = await call({ from: account, to: payee, send: '10.00USD' })
    expect((await call({ confirm })).payment.status).toBe('COMPLETED')
    await client.close()
  })
})
