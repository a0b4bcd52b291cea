import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { auditEverything } from '@corridor/engine/mechanisms/audit/audit.ts'
import { assert } from '@corridor/kernel'
import { verifyWebhook } from '@corridor/sdk/index.ts'
import { createClient } from '@corridor/sdk/path-client.ts'
import { readConfig } from './config.ts'
import { openDataDirectory } from './data-directory.ts'
import { jsonLog, realWorld } from './real-world.ts'
import { type Installation, startInstallation } from './wiring.ts'

/**
 * One real cross-border payment on a throw-away database, told step by step: dollars leave a customer's
 * balance, pesos reach a bank account in Mexico. Ends with the ledger audit; exit 0 when all of it held. With `--verbose`
 * every request and its answer is printed.
 */
async function demo(): Promise<void> {
  const startedAt = performance.now()
  const dataDirectory = mkdtempSync(join(tmpdir(), 'corridor-demo-'))
  const receiver = await receiveWebhooks()
  let installation: Installation | undefined
  try {
    say('Corridor demo: 500.00 USD from Ana in the United States to Diego in Mexico.')
    const config = { ...readConfig({ CORRIDOR_DATA_DIR: dataDirectory }), port: 0, host: '127.0.0.1' }
    const world = realWorld(jsonLog('error'))
    installation = await startInstallation(config, world, openDataDirectory(dataDirectory))
    say(`Started with an empty embedded database in ${seconds(startedAt)}.`)
    await play(installation, receiver)
    say(`Done in ${seconds(startedAt)}. Start your own installation with: npm start`)
  } finally {
    await receiver.close()
    await installation?.stop()
    rmSync(dataDirectory, { recursive: true, force: true })
  }
}

async function play({ engine, address, credentials }: Installation, receiver: Receiver): Promise<void> {
  const acme = credentials?.platforms.find(({ name }) => name === 'acme')
  assert(acme && credentials, 'an empty installation sets up the platform acme')
  const send = isVerbose ? printing(fetch) : fetch
  const api = createClient({ baseUrl: `${address}/2025-10-13`, ...acme, fetch: send })
  receiver.trust(acme.webhookPublicKey)

  step('The platform "acme" registers its webhook endpoint.')
  await must(api.PATCH('/config', { body: { webhookEndpoint: receiver.url } }))
  await receiver.expect('TEST')

  step('The platform onboards Ana, who gets one account per currency.')
  const ana = await must(
    api.POST('/customers', {
      body: { customerType: 'INDIVIDUAL', fullName: 'Ana Lopez', region: 'US', currencies: ['USD', 'USDC'] },
    }),
  )
  const { data: accounts } = await must(
    api.GET('/internal-account', { params: { query: { customerId: ana.id, currency: 'USD' } } }),
  )
  const usd = accounts[0]
  assert(usd, 'Ana has a dollar account')
  detail(ana.id)

  step('A deposit of 1,000.00 USD arrives.')
  const funded = await must(
    api.POST('/sandbox/internal-accounts/{accountId}/fund', {
      params: { path: { accountId: usd.id } },
      body: { amount: 100_000 },
    }),
  )
  detail(`balance ${money(funded.balance)}`)
  await receiver.expect('INCOMING_PAYMENT.COMPLETED')

  step('Ana registers Diego’s bank account, and the bank confirms his name.')
  const diego = await must(
    api.POST('/customers/external-accounts', {
      body: {
        customerId: ana.id,
        currency: 'MXN',
        accountInfo: {
          accountType: 'MXN_ACCOUNT',
          clabeNumber: '032180000118359719',
          beneficiary: { beneficiaryType: 'INDIVIDUAL', fullName: 'Diego Ramirez' },
        },
      } as never,
    }),
  )
  detail(`CLABE 0321…9719, name ${diego.beneficiaryVerificationStatus}`)

  step('A quote locks the rate, the fee and both amounts.')
  const quote = await must(
    api.POST('/quotes', {
      body: {
        source: { sourceType: 'ACCOUNT', accountId: usd.id },
        destination: { destinationType: 'ACCOUNT', accountId: diego.id },
        lockedCurrencySide: 'SENDING',
        lockedCurrencyAmount: 50_000,
        description: 'Rent for June',
      },
    }),
  )
  const sending = { amount: quote.totalSendingAmount, currency: quote.sendingCurrency }
  const fee = { amount: quote.feesIncluded, currency: quote.sendingCurrency }
  const receiving = { amount: quote.totalReceivingAmount, currency: quote.receivingCurrency }
  detail(
    `${money(sending)} − ${money(fee)} fee, at ${(1 / quote.exchangeRate).toFixed(2)} MXN per USD = ${money(receiving)}`,
  )
  detail(`valid until ${quote.expiresAt}`)

  step('Ana confirms. The platform executes the quote, and Corridor debits her balance immediately.')
  const executed = await must(
    api.POST('/quotes/{quoteId}/execute', {
      params: { path: { quoteId: quote.id }, header: { 'Idempotency-Key': 'rent-june' } },
    }),
  )
  detail(`quote ${executed.status}`)
  await receiver.expect('OUTGOING_PAYMENT.PENDING')
  await receiver.expect('OUTGOING_PAYMENT.PROCESSING')
  const completed = await receiver.expect('OUTGOING_PAYMENT.COMPLETED')

  step('The pesos have reached Diego’s bank over SPEI.')
  const transaction = await must(
    api.GET('/transactions/{transactionId}', { params: { path: { transactionId: quote.transactionId } } }),
  )
  assert(transaction.type === 'OUTGOING' && transaction.status === 'COMPLETED', 'the payment completed')
  assert(completed.data.id === transaction.id, 'the webhook reports this payment')
  detail(`${transaction.status} at ${transaction.settledAt}, rail ${transaction.paymentRail}`)
  const { data: after } = await must(
    api.GET('/internal-account', { params: { query: { customerId: ana.id, currency: 'USD' } } }),
  )
  detail(`Ana’s balance ${money(after[0]!.balance)}`)

  step(
    'The audit checks the ledger: every currency sums to zero, no account is overdrawn, and nothing is left over.',
  )
  const audit = await auditEverything(engine.database)
  detail(
    `${audit.checkedTransfers} transfers across ${audit.checkedAccounts} ledger accounts: ${audit.sound ? 'balanced' : 'DOES NOT BALANCE'}`,
  )
  for (const problem of audit.problems) detail(JSON.stringify(problem))
  assert(audit.sound, 'the ledger balances')
}

interface Arrived {
  readonly type: string
  readonly data: Record<string, unknown>
}

const isVerbose = process.argv.includes('--verbose')

/** A fetch that prints what goes out and what comes back; credentials are in headers, which it leaves out. */
function printing(send: typeof fetch): typeof fetch {
  return async (input, init) => {
    const request = new Request(input, init)
    const { pathname, search } = new URL(request.url)
    const body = await request.clone().text()
    say(`\n   > ${request.method} ${pathname}${search}`)
    if (body) say(indented(body))
    const answer = await send(request)
    say(`   < ${answer.status}`)
    say(`${indented(await answer.clone().text())}\n`)
    return answer
  }
}

function indented(json: string): string {
  return JSON.stringify(JSON.parse(json), null, 2).replace(/^/gm, '     ')
}

/** A webhook endpoint as a platform would run one: it checks the signature before it believes anything. */
interface Receiver {
  readonly url: string
  trust(publicKey: string): void
  /** The next event of this type, printed; fails when it does not come. */
  expect(type: string): Promise<Arrived>
  close(): Promise<void>
}

const patienceMs = 10_000

async function receiveWebhooks(): Promise<Receiver> {
  let publicKey = ''
  const arrived: Arrived[] = []
  let notify = () => {}
  const server: Server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', async () => {
      const signature = String(request.headers['x-service-signature'])
      const event = (await verifyWebhook({
        body: Buffer.concat(chunks),
        signature,
        publicKey,
      })) as Arrived | null
      response.statusCode = event ? 200 : 401
      response.end()
      if (event) arrived.push(event)
      notify()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo

  return {
    url: `http://127.0.0.1:${port}/webhooks`,
    trust(text) {
      publicKey = text
    },
    async expect(type) {
      const deadline = AbortSignal.timeout(patienceMs)
      for (;;) {
        const index = arrived.findIndex((event) => event.type === type)
        if (index >= 0) {
          const [event] = arrived.splice(index, 1)
          detail(`webhook ${type}, signature valid`)
          return event!
        }
        await new Promise<void>((resolve, reject) => {
          notify = resolve
          deadline.onabort = () =>
            reject(new Error(`no webhook ${type} arrived within ${patienceMs / 1000} s`))
        })
      }
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function must<T>(
  answer: Promise<{ data?: T | undefined; error?: unknown; response: Response }>,
): Promise<T> {
  const { data, error, response } = await answer
  if (data === undefined)
    throw new Error(`${response.url} answered ${response.status}: ${JSON.stringify(error)}`)
  return data
}

interface Amount {
  readonly amount: number
  readonly currency: { readonly code: string; readonly decimals: number }
}

/** `49750` of a currency with two decimals → `497.50 USD`. Only digits are moved; nothing is divided. */
function money({ amount, currency }: Amount): string {
  const digits = String(amount).padStart(currency.decimals + 1, '0')
  const split = digits.length - currency.decimals
  const whole = BigInt(digits.slice(0, split)).toLocaleString('en-US')
  return `${whole}${currency.decimals > 0 ? `.${digits.slice(split)}` : ''} ${currency.code}`
}

let steps = 0
function step(text: string): void {
  say(`\n${++steps}. ${text}`)
}
function detail(text: string): void {
  say(`   ${text}`)
}
function say(text: string): void {
  process.stdout.write(`${text}\n`)
}
function seconds(since: number): string {
  return `${((performance.now() - since) / 1000).toFixed(1)} s`
}

demo().catch((error: unknown) => {
  process.stderr.write(`\nThe demo failed: ${error instanceof Error ? error.stack : String(error)}\n`)
  process.exitCode = 1
})
