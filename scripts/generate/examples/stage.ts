import { type RecordedEvent, startTestServer, type TestServer } from '@corridor/testkit/server.ts'
import { operations } from '../../../packages/engine/src/assembly/features.ts'
import {
  type ProvisionedPlatform,
  provisionPlatform,
} from '../../../packages/engine/src/platform/platforms/index.ts'
import { makeWorld, silentLog } from '../../../packages/kernel/src/index.ts'
import { namedWorlds } from './named-worlds.ts'
import { type Recorder, recordExchanges } from './recorder.ts'

/** A simulated installation in which the examples are recorded. */
export interface Stage {
  readonly server: TestServer
  readonly recorder: Recorder
  /** Starts randomness anew, so that what one chapter does changes no example of another. */
  begin(chapter: string): void
  /** Everything that platforms were told, oldest first. */
  events(): Promise<readonly RecordedEvent[]>
  /** What an endpoint of webhooks answers; 200 with nothing until it is said. */
  answerWebhooks(answer: (event: { type: string }) => Response): void
}

/** A Monday morning, on which all of it happens. */
const now = Date.UTC(2025, 9, 13, 9)

export async function openStage(): Promise<Stage> {
  let state = 1
  let webhooks: (event: { type: string }) => Response = () => new Response()
  const world = makeWorld({
    now: () => now,
    randomBytes: (count) => Uint8Array.from({ length: count }, () => next() & 0xff),
    fetch: (async (input, init) => {
      const text = await new Request(input, { ...init, signal: null }).text()
      return webhooks(text === '' ? { type: '' } : JSON.parse(text))
    }) as typeof fetch,
    log: silentLog,
    sleep: async () => {},
  })
  function next(): number {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state >>> 16
  }
  const server = await startTestServer({ world, baseUrl: 'http://localhost:8080' })
  const platforms: ProvisionedPlatform[] = []
  const platform: TestServer['platform'] = async ({
    environment = 'SANDBOX',
    isRegulated = false,
    skipPaperwork = false,
    settings = {},
  } = {}) => {
    const name = `example-${platforms.length + 1}`
    const made = await provisionPlatform(server.engine, {
      name,
      environment,
      isRegulated,
      skipPaperwork,
      settings,
    })
    platforms.push(made)
    return made
  }
  Object.assign(server, { platform })
  Object.assign(server.engine, { worlds: namedWorlds(now) })
  return {
    server,
    recorder: recordExchanges(server),
    begin(chapter) {
      state = [...chapter].reduce((sum, letter) => (Math.imul(sum, 31) + letter.charCodeAt(0)) >>> 0, 7)
      webhooks = () => new Response()
    },
    async events() {
      return (await Promise.all(platforms.map((each) => server.events(each)))).flat()
    },
    answerWebhooks(answer) {
      webhooks = answer
    },
  }
}

// biome-ignore lint/suspicious/noExplicitAny: a chapter reads single members of answers of every shape
export type Json = any

type Options = Parameters<TestServer['platform']>[0]

/** One platform of the installation, and the calls of its backend. */
export async function platformOn({ server, recorder }: Stage, options: Options = {}) {
  const platform: ProvisionedPlatform = await server.platform(options)
  const { clientId, clientSecret } = platform
  const authorization = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`

  /** A call that has to succeed; answers its body. */
  async function call(
    method: string,
    path: string,
    body?: object,
    headers: Record<string, string> = {},
  ): Promise<Json> {
    const { status, answer } = await attempt(method, path, body, headers)
    if (status >= 300) throw new Error(`${method} ${path}: ${status} ${JSON.stringify(answer)}`)
    return answer
  }

  /** A call that may be refused. */
  async function attempt(method: string, path: string, body?: object, headers: Record<string, string> = {}) {
    const isForm = body instanceof FormData
    const response = await server.fetch(server.baseUrl + path, {
      method,
      headers: {
        authorization,
        ...(body && !isForm ? { 'content-type': 'application/json' } : {}),
        ...headers,
      },
      ...(body ? { body: isForm ? body : JSON.stringify(body) } : {}),
    })
    const text = await response.text()
    return { status: response.status, answer: (text === '' ? undefined : JSON.parse(text)) as Json }
  }

  async function customer(more: object = {}): Promise<Json> {
    return call('POST', '/customers', {
      ...bodyOf('createCustomer'),
      currencies: ['USD', 'EUR', 'USDC', 'BTC'],
      ...more,
    })
  }

  async function account(customerId: string, currency = 'USD', amount = 0): Promise<Json> {
    const { data } = await call('GET', `/internal-account?customerId=${customerId}&currency=${currency}`)
    if (amount > 0) await call('POST', `/sandbox/internal-accounts/${data[0].id}/fund`, { amount })
    return data[0]
  }

  return {
    platform,
    server,
    recorder,
    call,
    attempt,
    customer,
    account,
    authorization,
    settle: () => server.settle(),
  }
}

export type OnStage = Awaited<ReturnType<typeof platformOn>>

/** The body that an operation declares as its example, which a chapter completes with ids of its own. */
export function bodyOf(operationId: string): Record<string, Json> {
  return structuredClone(operations.find(({ id }) => id === operationId)!.example) as Record<string, Json>
}

/** Details of a bank account of the customer's own, of somebody in Mexico, and of somebody in Germany. */
export const payees = {
  own: {
    currency: 'USD',
    accountInfo: {
      accountType: 'USD_ACCOUNT',
      accountNumber: '000123456789',
      routingNumber: '021000021',
      bankAccountType: 'CHECKING',
      beneficiary: { beneficiaryType: 'INDIVIDUAL', fullName: 'Ana Lopez' },
    },
  },
  mexican: {
    currency: 'MXN',
    accountInfo: {
      accountType: 'MXN_ACCOUNT',
      clabeNumber: '646180157034181180',
      beneficiary: { beneficiaryType: 'INDIVIDUAL', fullName: 'Diego Ramos' },
    },
  },
  german: {
    currency: 'EUR',
    accountInfo: {
      accountType: 'EUR_ACCOUNT',
      iban: 'DE89370400440532013000',
      beneficiary: {
        beneficiaryType: 'INDIVIDUAL',
        fullName: 'Greta Lindholm',
        birthDate: '1979-04-02',
        nationality: 'SE',
      },
    },
  },
} as const

export const quoteOf = (
  source: { id: string },
  destination: { id: string },
  amount: number,
  more: object = {},
) => ({
  source: { sourceType: 'ACCOUNT', accountId: source.id },
  destination: { destinationType: 'ACCOUNT', accountId: destination.id },
  lockedCurrencySide: 'SENDING',
  lockedCurrencyAmount: amount,
  ...more,
})
