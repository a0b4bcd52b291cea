import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openTestServer } from '@corridor/testkit/index.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { commands, runCli } from '../../apps/cli/src/cli.ts'
import { candidates } from '../../apps/cli/src/commands/completion.ts'
import { scenarios, unreachable } from '../../apps/cli/src/scenarios/index.ts'
import type { Terminal } from '../../apps/cli/src/terminal.ts'
import { eventTypes } from '../../packages/sdk/src/index.ts'

const server = await openTestServer()
const directory = mkdtempSync(join(tmpdir(), 'corridor-cli-'))
const platform = await server.platform()
afterAll(() => rmSync(directory, { recursive: true, force: true }))

interface Session {
  readonly answers?: readonly string[]
  readonly isPerson?: boolean
  /** Whether nobody answers. */
  readonly isAway?: boolean
  /** Requests whose answer is lost on its way back, unless it is a refusal. */
  readonly loses?: RegExp
  /** What happens right after such a loss. */
  readonly meanwhile?: () => Promise<unknown>
  /** What happens before each request, and its answer where that comes from somebody else. */
  readonly before?: (request: Request) => Promise<Response | undefined>
  /** What everything is answered, instead of the server. */
  readonly answer?: { readonly status: number }
  readonly environment?: Readonly<Record<string, string>>
}

const signedIn = {
  CORRIDOR_BASE_URL: server.baseUrl,
  CORRIDOR_CLIENT_ID: platform.clientId,
  CORRIDOR_CLIENT_SECRET: platform.clientSecret,
}

/** Runs a command line against the server; work that follows is done while it waits. */
async function corridor(words: string | readonly string[], session: Session = {}) {
  const { answers = [], isPerson = false, isAway = false, answer, environment = signedIn } = session
  const answered = answer && (async () => Response.json(answer, answer))
  const out: string[] = []
  const notes: string[] = []
  const asked = [...answers]
  const settle = async () => {
    await server.settle()
  }
  const terminal: Terminal = {
    out: (text) => out.push(text),
    note: (text) => notes.push(text),
    isPerson,
    hasColour: false,
    canAsk: answers.length > 0,
    ask: async () => asked.shift() ?? '',
    read: async () => asked.shift() ?? '',
    now: () => server.world.now(),
    sleep: async (ms) => server.pass(ms),
    uuid: () => server.world.uuid(),
    fetch: away,
    untilStopped: () => new AbortController().signal,
    environment: { HOME: directory, ...environment },
    directory,
    home: directory,
  }
  const runtime = { sleep: sleepOf(settle), now: () => server.world.now() }
  const given = typeof words === 'string' ? words.split(' ') : words
  const code = await runCli(given, terminal, {
    fetch: isAway ? away : (answered ?? losing(session)),
    runtime,
  })
  return { code, out: out.join('\n'), notes: notes.join('\n') }
}

/** A pause in which the server does what is due. The limit of an attempt is no pause: it never ends. */
function sleepOf(settle: () => Promise<void>) {
  return (ms: number, signal?: AbortSignal) =>
    ms >= 60_000
      ? new Promise<void>((resolve) => signal?.addEventListener('abort', () => resolve()))
      : settle()
}

const away = async () => {
  throw new TypeError('fetch failed')
}

function losing({ loses, meanwhile, before }: Session): typeof fetch {
  return async (input, init) => {
    const request = new Request(input, init)
    const answer = (await before?.(request)) ?? (await server.fetch(request))
    if (!answer.ok || !loses?.test(request.url)) return answer
    await meanwhile?.()
    return away()
  }
}

let customerId = ''
let usd = ''
let payee = ''
beforeAll(async () => {
  const made = await corridor(
    'customers create --set customerType=INDIVIDUAL --set fullName=Ana --set region=US --set currencies=["USD","EUR"] --json',
  )
  customerId = JSON.parse(made.out).id
  usd = (
    await corridor(`customers internal-accounts list --customer-id ${customerId} --currency USD --quiet`)
  ).out
  const beneficiary = {
    beneficiaryType: 'INDIVIDUAL',
    fullName: 'Greta',
    birthDate: '1979-04-02',
    nationality: 'SE',
  }
  const accountInfo = { accountType: 'EUR_ACCOUNT', iban: 'DE89370400440532013000', beneficiary }
  const body = JSON.stringify({ customerId, currency: 'EUR', accountInfo })
  payee = (
    await corridor(['customers', 'external-accounts', 'create', '--data', '-', '--quiet'], {
      answers: [body],
    })
  ).out
})

describe('every operation', () => {
  it('is a command, and no two commands have the same words', () => {
    const names = commands.map(({ words }) => words.join(' '))
    expect(new Set(names).size).toBe(names.length)
    expect(names).toContain('customers external-accounts create')
    expect(names).toContain('sandbox cards simulate authorization-advice')
  })

  it('prints the answer of the API with --json, ids with --quiet, and a table that a program can read', async () => {
    const json = await corridor(`customers get ${customerId} --json`)
    expect(JSON.parse(json.out)).toMatchObject({ id: customerId, fullName: 'Ana' })
    expect(json).toMatchObject({ code: 0, notes: '' })
    expect((await corridor('customers list --quiet')).out).toBe(customerId)
    const table = await corridor('customers list --columns fullName,region,id')
    expect(table.out.split('\n')).toEqual([
      expect.stringMatching(/^fullName +region +id$/),
      `Ana       US      ${customerId}`,
    ])
    const bare = await corridor('customers list --columns fullName --no-headers')
    expect(bare.out).toBe('Ana')
  })

  it('walks all pages with --jsonl, and says where the next one is otherwise', async () => {
    for (const name of ['Bo', 'Cy']) {
      await corridor(`customers create --set customerType=INDIVIDUAL --set fullName=${name}`)
    }
    const lines = (await corridor('customers list --limit 1 --jsonl')).out.split('\n')
    expect(lines.map((line) => JSON.parse(line).fullName)).toEqual(['Cy', 'Bo', 'Ana'])
    expect((await corridor('customers list --limit 1')).notes).toMatch(/^1 of 3; next page: --cursor \S+$/)
  })

  it('prints the request with --curl, without the secret, and sends nothing', async () => {
    const printed = await corridor('customers create --set fullName=Nobody --curl')
    expect(printed.out).toContain(`curl -X POST '${server.baseUrl}/customers'`)
    expect(printed.out).toContain(`-d '{"fullName":"Nobody"}'`)
    expect(printed.out).not.toContain(platform.clientSecret)
    expect((await corridor('customers list --jsonl')).out).not.toContain('Nobody')
  })
})

describe('flags that every command has', () => {
  it('may stand before it', async () => {
    const { code, out } = await corridor('--json --base-url http://corridor.test/2025-10-13 clock show')
    expect(code).toBe(0)
    expect(JSON.parse(out)).toMatchObject({ offsetSeconds: 0 })
    expect((await corridor('--columns=id --no-headers customers list --limit 1')).code).toBe(0)
    expect((await corridor('--help clock')).out).toContain('Usage: corridor clock')
  })

  it('are no place for those of one command, nor for words that are no flags', async () => {
    expect((await corridor('--seconds 1 clock show')).code).toBe(2)
    expect((await corridor('json clock show')).code).toBe(2)
  })

  it('end at --, behind which anything is an argument', async () => {
    expect((await corridor('sandbox worlds delete --help')).out).toMatch(
      /--\s+end of flags; after it, -x is an argument/,
    )
    expect((await corridor('customers get -x')).code).toBe(2)
    const asked: string[] = []
    await corridor('sandbox worlds delete -- -x', {
      before: async ({ method, url }) => {
        asked.push(`${method} ${new URL(url).pathname.split('/').slice(2).join('/')}`)
        return undefined
      },
    })
    expect(asked).toEqual(['DELETE sandbox/worlds/-x'])
  })

  it('are not asked for the version', async () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8'))
    expect(await corridor('--version')).toMatchObject({ code: 0, out: version })
  })
})

describe('a failure', () => {
  it.each([
    ['customers get Customer:00000000-0000-7000-8000-000000000000', 1, 'USER_NOT_FOUND'],
    ['customers get', 2, 'CUSTOMERID is missing'],
    ['customers list --colour red', 2, '--colour'],
    ['customers sell', 2, 'Unknown command: customers sell'],
    ['quote create', 2, 'corridor quotes create'],
    ['quote list', 2, 'corridor quotes list'],
    ['custmers lst', 2, 'corridor customers list'],
    [`${'x'.repeat(5_000)} list`, 2, 'run corridor --help'],
    ['customers', 2, 'corridor customers list'],
    ['quotes create', 2, 'The request body is missing'],
    ['quotes create --data {', 2, 'is not valid JSON'],
    ['trigger PAYOUT.PAID', 2, 'cannot be triggered'],
    ['clock advance yesterday', 2, 'yesterday is not a duration. Examples: 90s'],
    ['pay --send 5USD', 2, '--from is missing'],
    ['completion tcsh', 2, 'must be one of bash'],
    ['dev sandbox', 2, 'Unexpected argument: sandbox'],
    ['reset all --yes', 2, 'Unexpected argument: all'],
    ['explain Quote:1 Quote:2', 2, 'Unexpected argument: Quote:2'],
  ])('%s ends with %i and says why on standard error', async (words, code, why) => {
    const failed = await corridor(words)
    expect(failed).toMatchObject({ code, out: '' })
    expect(failed.notes).toContain(why)
  })

  it('names what is missing when no installation is known, and what is wrong in a configuration', async () => {
    const unknown = await corridor('customers list', { environment: {} })
    expect(unknown).toMatchObject({ code: 2 })
    expect(unknown.notes).toContain('CORRIDOR_BASE_URL')
    const path = join(directory, '.corridor.toml')
    writeFileSync(path, 'client_secret = "x"\n', { mode: 0o644 })
    expect((await corridor('customers list', { environment: {} })).notes).toContain(
      'other users can read the file',
    )
    writeFileSync(path, 'colour = "red"\n')
    expect((await corridor('customers list', { environment: {} })).notes).toContain('Line 1 of ')
    const broken = join(directory, 'broken.json')
    writeFileSync(path, 'credentials = "broken.json"\n')
    for (const text of ['{"platforms":', 'null', '{}', '{"baseUrl":"http://a.example","platforms":[{}]}']) {
      writeFileSync(broken, text)
      const failed = await corridor('customers list', { environment: {} })
      expect(failed).toMatchObject({ code: 2, out: '' })
      expect(failed.notes).toMatch(/^✕ \S+broken\.json does not contain the credentials [^\n]+\n {2}[^\n]+$/)
    }
    rmSync(path)
  })

  it('names which of several things there is not', async () => {
    const failed = await corridor('resend Webhook:01a21803-b8b2-7039-9556-a37af023832d')
    expect(failed).toMatchObject({ code: 1, out: '' })
    expect(failed.notes).toContain('The resource was not found: Webhook:01a21803-b8b2-7039-9556-a37af023832d')
  })

  it('is 3 where nobody answers', async () => {
    const failed = await corridor('customers list', { isAway: true })
    expect(failed).toMatchObject({ code: 3, out: '' })
    expect(failed.notes).toContain('corridor dev')
    const refused = {
      cause: Object.assign(new Error('refused'), { code: 'ECONNREFUSED', syscall: 'connect' }),
    }
    const unmade = await corridor('customers create --set customerType=INDIVIDUAL', {
      before: async () => {
        throw new TypeError('fetch failed', refused)
      },
    })
    expect(unmade).toMatchObject({ code: 3, out: '' })
    expect(unmade.notes).toContain('corridor dev')
    expect(unmade.notes).not.toContain('may have been executed')
  })
})

describe('money and time', () => {
  it('are put in, paid and moved', async () => {
    const funded = await corridor(`fund ${usd} 5,000.00 USD`)
    expect(funded).toMatchObject({ code: 0, out: `✓ ${usd} has 5,000.00 USD` })
    // In the words of the command, before anything is sent: the API would speak of the smallest unit.
    for (const line of [`fund ${usd} 0 USD`, `pay --from ${usd} --to ${payee} --send 0USD --yes`]) {
      const nothing = await corridor(line)
      expect(nothing.code).toBe(2)
      expect(nothing.notes).toContain('0 is not a valid amount. The amount must be more than 0.')
    }
    const paid = await corridor(`pay --from ${usd} --to ${payee} --send 1000.00USD --yes --json`)
    expect(paid.code).toBe(0)
    expect(JSON.parse(paid.out)).toMatchObject({ status: 'COMPLETED', sentAmount: { amount: 100_000 } })
    expect(paid.notes).toMatch(/^send 1,000.00 USD, receive \S+ EUR, fee \S+ USD, rate/)
    const received = await corridor(`pay --from ${usd} --to ${payee} --receive 100.00EUR --yes --json`)
    expect(JSON.parse(received.out)).toMatchObject({ receivedAmount: { amount: 10_000 } })
    const before = JSON.parse((await corridor('clock show --json')).out)
    const after = JSON.parse((await corridor('clock advance 1d 6h --json')).out)
    expect(after.offsetSeconds - before.offsetSeconds).toBe(108_000)
  })

  it('are paid as a person answers: accounts by owner, payees by name, an amount until it can be read', async () => {
    await corridor(`fund ${usd} 100.00 USD`)
    const answers = ['9', '1', '1', 'ten', '0.00USD', '10.005USD', '10 EUR', '10 USD', 'y']
    const paid = await corridor('pay', { answers })
    expect(paid).toMatchObject({ code: 0, out: expect.stringMatching(/^✓ COMPLETED {2}Transaction:/) })
    const lines = paid.notes.split('\n')
    expect(lines[0]).toMatch(/^ {3}1 {2}Ana {2}[\d,.]+ USD available {2}…\w{6}$/)
    expect(lines[1]).toBe('  Enter a number from 1 to 1, or an id.')
    expect(lines[2]).toMatch(/^ {3}1 {2}Greta {2}EUR {2}…3000 {2}name matched {2}…\w{6}$/)
    expect(paid.notes).toContain('  "ten" is not an amount with a currency. Example: 1000.00USD.')
    expect(paid.notes).toContain('  0.00 is not a valid amount. The amount must be more than 0.')
    expect(paid.notes).toContain('  10.005 is not an amount with at most 2 decimals')
    expect(paid.notes).toContain('  The account is in USD, not in EUR.')
    expect(paid.notes).toContain(
      `To repeat without prompts: corridor pay --from ${usd} --to ${payee} --send 10USD --yes`,
    )
  })

  it('are listed as received where somebody has received them', async () => {
    await corridor('trigger OUTGOING_PAYMENT.FAILED --quiet')
    await server.settle()
    const columns = '--columns status,receivedAmount --status'
    const failed = await corridor(`transactions list ${columns} FAILED`)
    expect(failed.out.split('\n')).toEqual(['status    receivedAmount', '✕ FAILED'])
    const paid = (await corridor(`transactions list ${columns} COMPLETED`)).out
    expect(paid).toMatch(/^✓ COMPLETED +\S+ EUR$/m)
    const both = (await corridor('transactions list --columns receivedAmount,type')).out
    expect(both).toMatch(/^ +OUTGOING$/m)
    const json = JSON.parse((await corridor('transactions list --json --status FAILED')).out)
    expect(json.data[0].receivedAmount.amount).toBeGreaterThan(0)
  }, 20_000)

  it('are not said to have arrived where the rail cancelled them, or the bank refused them', async () => {
    await corridor(`fund ${usd} 100.00 USD`)
    const toClabe = async (clabeNumber: string) => {
      const beneficiary = { beneficiaryType: 'INDIVIDUAL', fullName: 'Diego' }
      const accountInfo = { accountType: 'MXN_ACCOUNT', clabeNumber, beneficiary }
      const body = JSON.stringify({ customerId, currency: 'MXN', accountInfo })
      const made = await corridor(['customers', 'external-accounts', 'create', '--data', '-', '--quiet'], {
        answers: [body],
      })
      return corridor(`pay --from ${usd} --to ${made.out} --send 10.00USD --yes`)
    }
    const cancelled = await toClabe('032180000118350006')
    expect(cancelled).toMatchObject({
      code: 5,
      out: expect.stringMatching(/^✕ COMPLETED {2}Transaction:\S+ {2}cancelled and refunded$/),
    })
    const refused = await toClabe('032180000118350004')
    expect(refused).toMatchObject({ code: 5, out: expect.stringMatching(/^✕ FAILED {2}Transaction:\S+$/) })
    for (const { notes } of [cancelled, refused]) {
      expect(notes).toMatch(/^send 10\.00 USD, receive \S+ MXN, /)
      expect(notes).not.toMatch(/USD sent|MXN received/)
    }
    const json = await corridor(`transactions get ${/Transaction:\S+/.exec(cancelled.out)![0]} --json`)
    expect(JSON.parse(json.out)).toMatchObject({
      status: 'COMPLETED',
      refund: { reason: 'USER_CANCELLATION', status: 'COMPLETED' },
    })
  })

  it('are set back to a snapshot that there is, or it is said how to make one', async () => {
    const details = { resourceType: 'SandboxSnapshot', id: 'start' }
    const answer = {
      status: 404,
      code: 'REFERENCE_NOT_FOUND',
      message: 'The resource was not found.',
      details,
    }
    const reset = await corridor('reset --yes', { answer })
    expect(reset).toMatchObject({ code: 1, out: '' })
    expect(reset.notes).toContain('The snapshot `start` does not exist')
    expect(reset.notes).toContain('corridor snapshot start')
    const other = { ...answer, details: { ...details, resourceType: 'SandboxWorld' } }
    expect((await corridor('reset --yes', { answer: other })).notes).not.toContain('snapshot')
  })

  it('are explained: how each amount came about, where it was posted, and that it adds up', async () => {
    await corridor(`fund ${usd} 5,000.00 USD`)
    const paid = await corridor(`pay --from ${usd} --to ${payee} --send 10USD --yes --json`)
    const { id } = JSON.parse(paid.out)
    const { code, out } = await corridor(`explain ${id}`)
    expect(code).toBe(0)
    expect(out).toMatch(/^ {2}1 {2}sent, including fees +10\.00 USD/m)
    expect(out).toContain(`avail:${usd} → txn:${id}:USD  10.00 USD`)
    expect(out).toContain('✓ recomputed amounts match the stored ones')
    expect(out).toContain('✓ clearing empty')
    expect(out).toContain('safe to retry: NO: the payment was delivered')
    expect(JSON.parse((await corridor(`explain ${id} --json`)).out).subject.id).toBe(id)
    expect(await corridor('explain Quote:01930000-0000-7000-8000-000000000000')).toMatchObject({ code: 1 })
  })

  it('stay where they are in a dry run, when nobody confirms, and for an answer that is not yes', async () => {
    const amounts = async () => (await corridor(`internal-accounts get ${usd} --columns balance`)).out
    const before = await amounts()
    const asked = `pay --from ${usd} --to ${payee} --send 10USD`
    expect((await corridor(`${asked} --dry-run --json`)).code).toBe(0)
    expect(await corridor(asked)).toMatchObject({ code: 7, out: '' })
    expect((await corridor(asked, { answers: ['maybe'] })).code).toBe(7)
    expect(await amounts()).toBe(before)
    expect((await corridor(asked, { answers: ['y'] })).out).toMatch(/^✓ COMPLETED {2}Transaction:/)
    expect(await amounts()).not.toBe(before)
  })

  it('are paid once, however often a payment is repeated with its key', async () => {
    const amounts = async () => (await corridor(`internal-accounts get ${usd} --columns balance`)).out
    const asked = `pay --from ${usd} --to ${payee} --send 20USD --idempotency-key once --yes --quiet`
    const first = await corridor(asked)
    const after = await amounts()
    expect(await corridor(asked)).toMatchObject({ code: 0, out: first.out })
    expect(await amounts()).toBe(after)
    const other = await corridor(asked.replace('20USD', '21USD'))
    expect(other).toMatchObject({ code: 1, out: '' })
    expect(await amounts()).toBe(after)
  })

  /** A credential that may pay, until it is revoked. */
  async function payer() {
    const api = server.client(platform)
    const body = { name: 'Payer', permissions: ['VIEW', 'TRANSACT'] } as const
    const { data: token } = await api.POST('/tokens', { body: body as never })
    const { id: tokenId, clientId, clientSecret } = token!
    return {
      tokenId,
      environment: { ...signedIn, CORRIDOR_CLIENT_ID: clientId, CORRIDOR_CLIENT_SECRET: clientSecret! },
      revoked: () => api.DELETE('/tokens/{tokenId}', { params: { path: { tokenId } } }),
    }
  }

  it('that may have been paid are said to be, where the answer is lost', async () => {
    const asked = `pay --from ${usd} --to ${payee} --send 30USD --yes`
    const paid = await corridor(asked, { loses: /\/execute$/ })
    expect(paid).toMatchObject({ code: 3, out: '' })
    const [look] = /corridor transactions get Transaction:\S+/.exec(paid.notes)!
    expect(JSON.parse((await corridor(`${look.slice('corridor '.length)} --json`)).out).status).toBe(
      'COMPLETED',
    )
  })

  it('that may have been paid are said to be, where a repetition is refused after an answer was lost', async () => {
    await corridor(`fund ${usd} 100.00 USD`)
    const body = {
      kind: 'RATE_LIMITED',
      target: 'API',
      match: { operationId: 'executeQuote' },
      after: 1,
    } as const
    const { data: fault } = await server.client(platform).POST('/sandbox/faults', { body })
    const paid = await corridor(`pay --from ${usd} --to ${payee} --send 30USD --yes`, { loses: /\/execute$/ })
    await server
      .client(platform)
      .DELETE('/sandbox/faults/{faultId}', { params: { path: { faultId: fault!.id } } })
    expect(paid).toMatchObject({ code: 1, out: '' })
    expect(paid.notes).toContain('RATE_LIMITED')
    const [look] = /corridor transactions get Transaction:\S+/.exec(paid.notes) ?? []
    expect(look).toBeDefined()
    expect(JSON.parse((await corridor(`${look!.slice('corridor '.length)} --json`)).out).status).toBe(
      'COMPLETED',
    )
  })

  it('that may have been paid are said to be, where the credential is revoked after an answer was lost', async () => {
    await corridor(`fund ${usd} 100.00 USD`)
    const { environment, revoked } = await payer()
    const asked = `pay --from ${usd} --to ${payee} --send 30USD --yes`
    const paid = await corridor(asked, { loses: /\/execute$/, meanwhile: revoked, environment })
    expect(paid).toMatchObject({ code: 1, out: '' })
    expect(paid.notes).toContain('UNAUTHORIZED')
    const look =
      /^The payment may have been made\. Check with: corridor (transactions get Transaction:\S+)$/m.exec(
        paid.notes,
      )?.[1]
    expect(look).toBeDefined()
    expect(JSON.parse((await corridor(`${look} --json`)).out).status).toBe('COMPLETED')
  })

  it.each([408, 400, 403, 425])(
    'that may have been paid are said to be, where what is in between answers %i after it handed them on',
    async (status) => {
      await corridor(`fund ${usd} 100.00 USD`)
      let calls = 0
      const paid = await corridor(`pay --from ${usd} --to ${payee} --send 30USD --yes`, {
        before: async (request) => {
          if (!request.url.endsWith('/execute')) return undefined
          if (calls++ > 0) return Response.json({ code: 'UNAUTHORIZED', message: 'No.' }, { status: 401 })
          await server.fetch(request.clone())
          return new Response('<html>', { status })
        },
      })
      expect(paid).toMatchObject({ code: 1, out: '' })
      await server.settle()
      const look =
        /^The payment may have been made\. Check with: corridor (transactions get Transaction:\S+)$/m.exec(
          paid.notes,
        )?.[1]
      expect(look).toBeDefined()
      expect(JSON.parse((await corridor(`${look} --json`)).out).status).toBe('COMPLETED')
    },
  )

  it('that Corridor had no time for are not said to have been paid', async () => {
    const headers = { 'x-should-retry': 'true', 'retry-after': '1' }
    const paid = await corridor(`pay --from ${usd} --to ${payee} --send 30USD --yes`, {
      before: async ({ url }) =>
        url.endsWith('/execute')
          ? Response.json({ code: 'RATE_LIMITED', message: 'No.', details: {} }, { status: 429, headers })
          : undefined,
    })
    expect(paid.notes).toContain('RATE_LIMITED')
    expect(paid.notes).not.toContain('may have been made')
  })

  it('that any operation moves are moved once, where the answer is lost and the command is given again as it says', async () => {
    const beneficiary = { beneficiaryType: 'INDIVIDUAL', fullName: 'Greta', birthDate: '1979-04-02' }
    const accountInfo = {
      accountType: 'USD_ACCOUNT',
      accountNumber: '12345678',
      routingNumber: '021000021',
      accountCategory: 'CHECKING',
      beneficiary: { ...beneficiary, nationality: 'US' },
    }
    const account = JSON.stringify({ customerId, currency: 'USD', accountInfo })
    const create = ['customers', 'external-accounts', 'create', '--quiet', '--data', account]
    const { out: accountId } = await corridor(create)
    await corridor(`fund ${usd} 100.00 USD`)
    const balance = async () =>
      JSON.parse((await corridor(`internal-accounts get ${usd} --json`)).out).balance.amount
    const before = await balance()
    const body = { source: { accountId: usd }, destination: { accountId }, amount: 1_000 }
    const given = ['transfer-out', 'create', '--json', '--data', JSON.stringify(body)]
    const lost = await corridor(given, { loses: /transfer-out$/ })
    expect(lost).toMatchObject({ code: 3, out: '' })
    expect(lost.notes).not.toContain('Check that the server is running')
    const again = /^The request may have been executed\. .* (--idempotency-key) (\S+)\.$/m.exec(lost.notes)
    expect(again).not.toBeNull()
    expect(await balance()).toBe(before - 1_000)
    const repeated = await corridor([...given, ...again!.slice(1)])
    expect(repeated).toMatchObject({ code: 0, notes: '' })
    expect(JSON.parse(repeated.out).id).toMatch(/^Transaction:/)
    expect(await balance()).toBe(before - 1_000)
  })

  it('that go by no key are said to be in doubt even where the repetition finds nothing any more', async () => {
    const { tokenId } = await payer()
    const gone = await corridor(`tokens delete ${tokenId}`, { loses: /\/tokens\// })
    expect(gone.notes).toMatch(/^The request may have been executed\. Check before you repeat it\.$/m)
  })

  it.each([403, 404])(
    'that may have been paid are said to be, where what is in between answers a repetition %i',
    async (status) => {
      await corridor(`fund ${usd} 100.00 USD`)
      let isLost = false
      const paid = await corridor(`pay --from ${usd} --to ${payee} --send 30USD --yes`, {
        loses: /\/execute$/,
        meanwhile: async () => {
          isLost = true
        },
        before: async () => (isLost ? new Response('<html>', { status }) : undefined),
      })
      expect(paid.notes).toMatch(
        /^The payment may have been made\. Check with: corridor transactions get Transaction:\S+$/m,
      )
    },
  )

  it('that are refused at once are not said to have been paid', async () => {
    const { environment, revoked } = await payer()
    const asked = `pay --from ${usd} --to ${payee} --send 30USD --yes`
    const before = async ({ url }: Request) => {
      if (url.endsWith('/execute')) await revoked()
      return undefined
    }
    const paid = await corridor(asked, { before, environment })
    expect(paid).toMatchObject({ code: 1, out: '' })
    expect(paid.notes).toContain('UNAUTHORIZED')
    expect(paid.notes).not.toContain('may have been made')
  })

  it('that are executed are said to be, where nobody answers what became of them', async () => {
    await corridor(`fund ${usd} 100.00 USD`)
    const asked = `pay --from ${usd} --to ${payee} --send 30USD --yes`
    const paid = await corridor(asked, { loses: /\/transactions\/Transaction/ })
    expect(paid).toMatchObject({ code: 3, out: '' })
    expect(paid.notes).toMatch(/^The quote was executed, .*: corridor transactions get Transaction:\S+$/m)
  })

  it('refuse amounts that say more than the currency can, and another currency', async () => {
    expect((await corridor(`fund ${usd} 1.005 USD`)).code).toBe(2)
    expect((await corridor(`fund ${usd} 1.00 EUR`)).notes).toContain('is in USD')
    expect((await corridor(`pay --from ${usd} --to ${payee} --send 10EUR --yes`)).notes).toContain(
      'is in USD',
    )
  })

  it('of production are not touched to make an event happen', async () => {
    const real = await server.platform({ environment: 'PRODUCTION' })
    const environment = {
      ...signedIn,
      CORRIDOR_CLIENT_ID: real.clientId,
      CORRIDOR_CLIENT_SECRET: real.clientSecret,
    }
    expect(await corridor('trigger OUTGOING_PAYMENT.COMPLETED', { environment })).toMatchObject({ code: 1 })
    expect((await corridor('customers list --quiet', { environment })).out).toBe('')
  })

  it('are not changed in production unless that is said, and the name is typed', async () => {
    const real = await server.platform({ environment: 'PRODUCTION' })
    const environment = {
      ...signedIn,
      CORRIDOR_CLIENT_ID: real.clientId,
      CORRIDOR_CLIENT_SECRET: real.clientSecret,
    }
    const create = 'customers create --set customerType=INDIVIDUAL --set fullName=Real'
    expect(await corridor(create, { environment })).toMatchObject({ code: 7 })
    expect(await corridor(`${create} --production`, { environment })).toMatchObject({ code: 7 })
    expect(await corridor(`${create} --production`, { environment, answers: ['elsewhere'] })).toMatchObject({
      code: 7,
    })
    expect((await corridor('customers list --quiet', { environment })).out).toBe('')
    const typed = await corridor(`${create} --production`, { environment, answers: ['corridor.test'] })
    expect(typed.code).toBe(0)
  })
})

describe('explain', () => {
  it('says in plain amounts how a payment came about, what was checked, and whether to try again', async () => {
    const made = await corridor('trigger OUTGOING_PAYMENT.FAILED --quiet')
    await server.settle()
    const told = await corridor(`explain ${made.out}`)
    expect(told).toMatchObject({ code: 0, notes: '' })
    const lines = told.out.split('\n')
    expect(lines[0]).toMatch(
      /^The payment of [\d,]+\.\d\d USD to .* failed \S+ \S+ UTC: .* \(\w+\); all .* USD was refunded .* UTC\. No action is pending\.$/,
    )
    expect(told.out).toMatch(/^ {2}2 {2}service fee, share +\d+\.\d\d USD {3}\d+ × 1\/200 = \S+, half up$/m)
    expect(told.out).toMatch(/the payment is FAILED: .*; sandbox outcome: the account ends in \d{3}/)
    // What there is none of has no line, and no step is called as formulas call it.
    expect(told.out).not.toMatch(/ 0\.00 (USD|EUR)|serviceFixed|netConverted/)
    expect(told.out).toContain('  convert  txn:')
    expect(told.out).toContain(
      '✓ recomputed amounts match the stored ones\n  ✓ EUR sums to 0\n  ✓ USD sums to 0\n  ✓ clearing empty',
    )
    expect(lines.at(-1)).toBe('  safe to retry: YES_NEW_QUOTE: the payment was not delivered')
    expect(JSON.parse((await corridor(`explain ${made.out} --json`)).out)).toMatchObject({
      subject: { id: made.out, type: 'Transaction' },
    })
  })

  it('says that there is nothing of that id', async () => {
    const nothing = await corridor('explain Transaction:00000000-0000-7000-8000-000000000000')
    expect(nothing).toMatchObject({ code: 1, out: '' })
  })
})

describe('trigger', () => {
  it('knows every type of event, or why a platform cannot bring it about', async () => {
    expect([...Object.keys(scenarios), ...Object.keys(unreachable)].sort()).toEqual([...eventTypes].sort())
    for (const [type, why] of Object.entries(unreachable)) {
      const refused = await corridor(`trigger ${type}`)
      expect(refused).toMatchObject({ code: 2 })
      expect(refused.notes).toContain(why)
    }
  })

  it.each(Object.keys(scenarios))('makes %s happen', async (type) => {
    const own = await server.platform({ isRegulated: type.startsWith('CARD') })
    const environment = {
      ...signedIn,
      CORRIDOR_CLIENT_ID: own.clientId,
      CORRIDOR_CLIENT_SECRET: own.clientSecret,
    }
    if (type === 'TEST') {
      expect((await corridor(`trigger ${type}`, { environment })).code).toBe(1)
      return
    }
    expect(await corridor(`trigger ${type}`, { environment })).toMatchObject({ code: 0 })
    await server.settle()
    expect((await server.events(own)).map((event) => event.type)).toContain(type)
  })
})

describe('the inbox', () => {
  it('ends with 6 when no new message comes in time', async () => {
    let isOver = false
    const waiting = corridor('inbox --wait --timeout 2').finally(() => {
      isOver = true
    })
    while (!isOver) await server.pass(50)
    expect(await waiting).toMatchObject({ code: 6, out: '' })
    expect((await corridor('inbox')).notes).toBe('Nothing found.')
  })
})

describe('completion', () => {
  it('offers the words that may come next, flags, and types of events', async () => {
    expect(candidates(commands, ['cust'])).toEqual(['customers'])
    expect(candidates(commands, ['customers', 'external-accounts', 'c'])).toContain('create')
    expect(candidates(commands, ['trigger', 'OUTGOING_PAYMENT.F'])).toEqual(['OUTGOING_PAYMENT.FAILED'])
    expect(candidates(commands, ['pay', '--dry'])).toEqual(['--dry-run'])
    expect((await corridor('completion words -- pay --dry')).out).toBe('--dry-run')
    expect((await corridor('completion bash')).out).toContain('complete -o default')
  })
})

it('finds anything by what one has of it', async () => {
  const made = await corridor([
    ...['customers', 'create', '--quiet', '--data'],
    JSON.stringify({ customerType: 'INDIVIDUAL', fullName: 'Vera Holm', platformCustomerId: 'holm-7' }),
  ])
  const id = made.out.trim()
  expect(await corridor('search --q holm- --quiet')).toMatchObject({ code: 0, out: id })
  const table = (await corridor(['search', '--q', 'vera holm'])).out.split('\n')
  expect(table[0]).toMatch(/^createdAt +status +resourceType +resourceId +title +detail +matched$/)
  expect(table[1]).toMatch(/Customer +Customer:.* Vera Holm +holm-7 · .* FULL_NAME$/)
  expect((await corridor('search')).code).not.toBe(0)
})
