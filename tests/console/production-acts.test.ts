import { readdirSync, readFileSync } from 'node:fs'
import { createCustomer, internalAccountOf } from '@corridor/testkit/index.ts'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { agentApi, policyOf } from '../e2e/agent-api.ts'
import { describeConsole, expectAccessible, goTo, type Platform, shoot } from './opened-console.ts'
import { nextFrames, watchRequests } from './requests.ts'

const source = new URL('../../apps/console/src/', import.meta.url).pathname
const files = readdirSync(source, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.tsx'))
  .map((name) => ({ name, text: readFileSync(source + name, 'utf8') }))

describe('what changes something from the console', () => {
  it('goes through one button alone, which asks in production', () => {
    const mutating = files.filter(({ text }) => text.includes('useMutation(')).map(({ name }) => name)
    // The other is signing out.
    expect(mutating.sort()).toEqual(['app/shell.tsx', 'parts/act.tsx'])
  })

  it('is never called a reading', () => {
    const readings = files.flatMap(({ name, text }) =>
      [...text.matchAll(/<Act\b(?:(?!<\/Act>)[\s\S])*?\bchangesNothing\b(?:(?!<\/Act>)[\s\S])*/g)].map(
        ([act]) => [name, act] as const,
      ),
    )
    expect(readings.length).toBeGreaterThan(4)
    const harmless =
      /run=\{(signOut\}|\(\) => (audit\.refetch\(|exportChain\(|gather\(|get<|corridor\.webhookEvents\.replay\(body\(true\))|async \(\) => \{[\s\S]*dryRun: true \})/
    for (const [name, act] of readings) expect(act, name).toMatch(harmless)
  })
})

describeConsole('acts in production', { expectedFaults: /status of 409/ }, (at) => {
  interface Write {
    readonly what: string
    readonly reason: string | undefined
  }

  /** Ends once the page that is open has drawn all that it asked for. */
  let idle = async () => {}

  /** What the sandbox answers, looked at as production; what would change something is kept, and refused. */
  async function openAsProduction(platform: Platform) {
    const writes: Write[] = []
    const page = await at.open('')
    idle = watchRequests(page)
    await page.route('**/console/session', async (route) => {
      const response = await route.fetch()
      const json = await response.json()
      await route.fulfill({
        response,
        json: json.environment ? { ...json, environment: 'PRODUCTION' } : json,
      })
    })
    await page.route('**/console/api/*/production/**', async (route) => {
      const request = route.request()
      const body = request.postData() ?? ''
      const isDryRun = body.includes('"dryRun":true')
      const url = request.url().replace('/production/', '/sandbox/')
      if (request.method() === 'GET' || isDryRun) return route.continue({ url })
      const { pathname } = new URL(url)
      const reason = request.headers()['x-corridor-reason']
      writes.push({ what: `${request.method()} ${pathname.replace(/^.*2025-10-13/, '')}`, reason })
      const json = { code: 'CONFLICT', message: 'It was not done.', status: 409, details: {} }
      await route.fulfill({ status: 409, json })
    })
    await at.signIn(page, platform)
    await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor()
    return { page, writes, base: new URL(page.url()).pathname }
  }

  /** A platform with what each of the pages acts upon. */
  async function everything() {
    const { platform, api, call, connect, transferOut, quoteOf, customer, usd, bank } = await agentApi(
      at.server,
      { isRegulated: true },
    )
    let keys = 0
    const made = async (path: string, body: object): Promise<{ id: string } & Record<string, string>> => {
      const answer = await call('POST', path, body, { 'idempotency-key': `made-${keys++}` })
      expect(answer.status, `${path} ${JSON.stringify(answer.body)}`).toBeLessThan(300)
      return answer.body
    }
    await call('PATCH', '/config', { webhookEndpoint: 'https://hooks.example.com/in' })
    const agent = await connect(policyOf({ defaultExecutionMode: 'APPROVAL_REQUIRED' }))
    await agent.call('POST', '/transfer-out', transferOut(10_000))
    const quote = await made('/quotes', quoteOf(5_000))
    const card = await made('/cards', {
      cardholderId: customer.id,
      form: 'VIRTUAL',
      fundingSources: [usd.id],
      maxSpendPerTransaction: 50_000,
    })
    const provider = await made('/stablecoin-provider-accounts', {
      provider: 'BRALE',
      apiClientId: 'client_1',
      apiClientSecret: 'a-secret',
    })
    const coin = await made('/stablecoins', {
      providerTokenIdentifier: 'ACME',
      networkTokenIdentifier: 'btkn1qw508d6qejxtdg4y5r3zarvary0c5xw7k',
      network: 'SPARK',
      stablecoinProviderAccountId: provider.id,
    })
    const address = 'sp1pgssyuuuhnrrdjswal5c3s3rafw9w3y5dd4cjy3duxlf7hjzkp0rqx6dj6mrhu'
    const wallet = await made('/platform/external-accounts', {
      currency: 'BTC',
      accountInfo: { accountType: 'SPARK_WALLET', address },
    })
    await made('/platform/external-accounts', {
      currency: 'USD',
      accountInfo: {
        accountType: 'USD_ACCOUNT',
        accountNumber: '000123456789',
        routingNumber: '021000021',
        beneficiary: { beneficiaryType: 'INDIVIDUAL', fullName: 'Ana Lopez' },
      },
    })
    const inviter = customer.umaAddress!
    const invitation = await made('/invitations', { inviterUma: inviter, firstName: 'Alice' })
    await at.server.settle()
    const keyed = await createCustomer(api, { currencies: ['USD', 'USDB'], email: 'ana@example.com' })
    const signed = await internalAccountOf(api, keyed.id, 'USDB')
    const events = (await call('GET', '/webhook-events?limit=1')).body.data as { id: string }[]
    return {
      platform,
      agent,
      quote,
      card,
      coin,
      wallet,
      bank,
      customer,
      invitation,
      signed,
      event: events[0]!,
    }
  }

  /** Filters ask for a list. */
  const buttons = 'main button:not(:disabled):not(.filters *):visible'
  const asking = (page: Page) => page.locator('main button.asking')
  async function show(page: Page, address: string, opens: readonly string[]): Promise<void> {
    // What was pressed on it before stays nowhere.
    await goTo(page, address.replace(/\/production.*/, '/production/rates'))
    await goTo(page, address)
    await page.locator('main:not(:has(.skeleton)) h1').waitFor()
    // Its buttons are counted, so none of them may come later.
    await idle()
    for (const name of opens) await page.getByRole('button', { name, exact: true }).click()
    const fields = page.locator(
      'main :is(input:not([type]), input[type=text], input[type=password], input[inputmode]):not(.filters *)',
    )
    for (const field of await fields.all()) {
      if ((await field.isVisible()) && (await field.isEditable()) && (await field.inputValue()) === '')
        await field.fill('20.00')
    }
    await nextFrames(page)
  }

  it('change nothing by one press, name what they do, and take the reason along', async () => {
    const all = await everything()
    const { page, writes, base } = await openAsProduction(all.platform)
    const id = ({ id }: { readonly id: string }) => encodeURIComponent(id)
    const places: readonly (readonly [path: string, ...opens: string[]])[] = [
      [''],
      ['payments'],
      [`quotes/${id(all.quote)}`],
      ['quotes/new'],
      ['webhooks'],
      ['webhooks?createdAfter=2020-01-01T00%3A00%3A00.000Z'],
      [`webhooks/${id(all.event)}`],
      ['ledger'],
      ['customers', 'New customer'],
      ['customers', 'Import CSV'],
      [`customers/${id(all.customer)}`],
      ['accounts'],
      [`accounts/${id(all.signed)}`],
      [`external-accounts/${id(all.bank)}`],
      [`external-accounts/${id(all.wallet)}`],
      ['external-accounts/new'],
      ['cards'],
      [`cards/${id(all.card)}`],
      ['agents'],
      [`agents/${id(all.agent)}`],
      ['stablecoins'],
      [`stablecoins/${id(all.coin)}`],
      ['verifications'],
      ['network'],
      [`invitations/${encodeURIComponent(all.invitation.code!)}`],
      ['settings'],
    ]
    const asked: string[] = []
    const atOnce: string[] = []
    for (const [path, ...opens] of places) {
      const address = `${base}/${path}`
      await show(page, address, opens)
      const names = await page.locator(buttons).allInnerTexts()
      const seen = new Set<string>()
      let isAsBefore = true
      for (const [index, name] of names.entries()) {
        // Rows that are alike ask alike.
        if (seen.has(name) || opens.includes(name)) continue
        seen.add(name)
        if (!isAsBefore) await show(page, address, opens)
        isAsBefore = false
        await page.locator(buttons).nth(index).click()
        await nextFrames(page)
        for (const { what } of writes.splice(0)) atOnce.push(`${path}: ${name} asks ${what} at once`)
        if ((await asking(page).count()) === 0) continue
        asked.push(await asking(page).innerText())
        expect(await page.locator('main label.reason').count(), name).toBe(1)
        expect(await asking(page).isDisabled(), name).toBe(true)
        // Nothing is left of the question, or else the page is shown anew.
        await page.locator('main').getByRole('button', { name: 'No', exact: true }).click()
        await nextFrames(page)
        const left = await page.locator(buttons).allInnerTexts()
        isAsBefore = left.length === names.length && left.every((each, at) => each === names[at])
      }
    }
    expect(atOnce).toEqual([])
    for (const words of [
      'Approve 100.00 USD of agent Robot',
      'Reject 100.00 USD of agent Robot for good',
      'Mint 20.00 ACME',
      'Burn 20.00 ACME',
      /^Send [A-Z_.]+ again$/,
      'Send the TEST event to https://hooks.example.com/in',
      `Create a hosted link for ${(all.customer as { fullName?: string }).fullName}`,
      /^Freeze .+ …\d{4}$/,
      /^Limit .+ …\d{4} to 20\.00 USD per payment$/,
      /^Remove the limit of .+ …\d{4}$/,
      'Pause the agent Robot',
      'Create a code that connects a program as Robot',
      'Create the customer 20.00',
      /^Invite 20\.00 by \$.+/,
      /^Claim it for \$.+/,
      /^Add this .+ in EUR, payee of: The platform$/,
      'Get a quote that sends 20.00 USD',
      /^Pay 50\.00 USD to .+ for real$/,
      'Create the token 20.00 in production',
    ]) {
      const found = asked.some((each) => (typeof words === 'string' ? each === words : words.test(each)))
      expect(found, `${words} is not among: ${asked.join(' | ')}`).toBe(true)
    }
    // The second press, with a reason.
    await show(page, `${base}/webhooks`, [])
    await page.getByRole('button', { name: 'Send TEST' }).first().click()
    await page.getByLabel('Reason. The audit log stores it').fill('Ticket 41')
    await shoot(page, 'production-asks')
    await expectAccessible(page, 'an act that asks')
    await asking(page).click()
    await page.getByRole('alert').getByText('It was not done.').waitFor()
    expect(writes).toEqual([{ what: 'POST /webhooks/test', reason: 'Ticket%2041' }])
  }, 600_000)

  it('are answered by no key: r asks, and asks alone', async () => {
    const { platform, call } = await agentApi(at.server)
    const [event] = (await call('GET', '/webhook-events?limit=1')).body.data as { id: string }[]
    const { page, writes, base } = await openAsProduction(platform)
    await show(page, `${base}/webhooks/${encodeURIComponent(event!.id)}`, [])
    await page.keyboard.press('r')
    await asking(page).waitFor()
    await page.getByLabel('Reason. The audit log stores it').fill('Ticket 41')
    await page.getByLabel('Reason. The audit log stores it').evaluate('document.activeElement.blur()')
    await page.keyboard.press('r')
    await nextFrames(page)
    await page.getByRole('button', { name: 'No', exact: true }).click()
    expect(writes).toEqual([])
  }, 120_000)

  it('are not spoken of where there are none: an empty home of production leads to nothing below', async () => {
    const page = await at.openAs(await at.server.platform({ environment: 'PRODUCTION' }), '')
    const nothing = page.locator('.nothing').first()
    expect(await nothing.innerText()).toContain('No payments yet.')
    expect(await nothing.innerText()).not.toContain('below')
  })
})
