import {
  createCustomer,
  createPayee,
  createQuote,
  execute,
  fund,
  internalAccountOf,
  operatorKey,
  quoteBody,
} from '@corridor/testkit/index.ts'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { phone } from '../browser/browser.ts'
import { operate } from '../e2e/onboarding.ts'
import {
  describeConsole,
  expectAccessible,
  expectNoSidewaysScroll,
  goTo,
  listening,
  type Platform,
  shoot,
} from './opened-console.ts'

describeConsole('the console in a browser', (at) => {
  /** A customer with 5,000.00 USD and a payee in the United Kingdom, the end of whose number decides what happens. */
  async function payer(platform: Platform, ending: string, fullName = 'Ana Lopez') {
    const api = at.server.client(platform)
    const customer = await createCustomer(api, { fullName, currencies: ['USD'] })
    const account = await internalAccountOf(api, customer.id, 'USD')
    await fund(api, account.id, 500_000)
    const payee = await createPayee(api, 'GBP', `12345${ending}`, { customerId: customer.id })
    return { api, customer, account, payee }
  }

  async function pay(platform: Platform, ending: string) {
    const { api, account, payee } = await payer(platform, ending)
    const quote = await createQuote(api, quoteBody(account, payee, 100_000))
    await execute(api, quote.id)
    await at.server.settle()
    return quote
  }

  /** Somebody comes back to the window; what the page asks thereupon is answered, as what is asked after it is. */
  async function lookedAgain(page: Page) {
    await page.evaluate(`dispatchEvent(new Event('focus'))`)
    for (let time = 0; time < 3; time++) await page.evaluate(`fetch('/console/session').then(() => {})`)
  }

  it('signs nobody in with a wrong secret, and says so', async () => {
    const platform = await at.server.platform()
    const page = await at.open('')
    await page.getByLabel('Client id').fill(platform.clientId)
    await page.getByLabel('Client secret').fill('wrong')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('alert').getByText('This credential does not exist or was revoked').waitFor()
    expect(await page.locator('.environment').count()).toBe(0)
  })

  it('says to whoever signs in with the code of a new account what that is, and sends it nowhere else', async () => {
    const made = await operate(at.server, 'POST', '/operators', { name: 'Ann', role: 'VIEWER' })
    const { joinCode } = made.body as { joinCode: string }
    const page = await at.open('')
    const asked: string[] = []
    page.on('request', (request) => {
      const said = [request.url(), request.postData() ?? '', ...Object.values(request.headers())]
      if (said.some((part) => part.includes(joinCode))) asked.push(new URL(request.url()).pathname)
    })
    await page.getByRole('button', { name: 'With the key of an operator' }).click()
    await page.getByLabel('Key of an operator').fill(joinCode)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('alert').getByText('This credential does not exist or was revoked').waitFor()
    const said = page.getByRole('status').filter({ hasText: 'If this is a join code' })
    await said.getByRole('button', { name: 'Copy as curl' }).waitFor()
    expect(await said.textContent()).toContain(`curl ${at.origin}/operator/join --json '{"joinCode":"…"}'`)
    expect(await said.textContent()).not.toContain(joinCode)
    expect(asked).toEqual(['/console/session'])
    await page.getByLabel('Key of an operator').fill('wrong')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await said.waitFor({ state: 'detached' })
  })

  it('signs in by a link, once, and keeps nothing of it in the address', async () => {
    const platform = await at.server.platform()
    const credential = Buffer.from(`${platform.clientId}:${platform.clientSecret}`).toString('base64')
    const made = await fetch(`${at.origin}/console/start-link`, {
      method: 'POST',
      headers: { authorization: `Basic ${credential}`, 'x-corridor-console': '1' },
    })
    const { path } = (await made.json()) as { path: string }
    const link = path.slice('/console'.length)
    const page = await at.open(link)
    await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor()
    expect(page.url()).toMatch(/\/console\/[^/]+\/sandbox$/)
    expect(
      await page.evaluate('JSON.stringify([document.cookie, localStorage, sessionStorage])'),
    ).not.toContain(link.slice(4, 40))
    await page.reload()
    await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor()
    const late = await at.open(link)
    await late.getByText('This link was already used').waitFor()
    await lookedAgain(late)
    await late.getByText('This link was already used').waitFor()
    expect(late.url()).toBe(`${at.origin}/console/`)
    await expectAccessible(late, 'a link that was used')
  })

  it('asks before a link replaces who is signed in, and names the platform of the link', async () => {
    const [mine, other] = [await at.server.platform(), await at.server.platform()]
    const credential = Buffer.from(`${other.clientId}:${other.clientSecret}`).toString('base64')
    const made = await fetch(`${at.origin}/console/start-link`, {
      method: 'POST',
      headers: { authorization: `Basic ${credential}`, 'x-corridor-console': '1' },
    })
    const { path } = (await made.json()) as { path: string }
    const page = await at.open('')
    await at.signIn(page, mine)
    await page.getByText('No payments yet.').waitFor()
    const own = page.url()
    await page.goto('about:blank')
    await page.goto(`${at.origin}${path}`)
    await page.getByText('This link signs you in to the sandbox of').waitFor()
    await expectAccessible(page, 'a link while somebody is signed in')
    await page.getByRole('button', { name: 'Keep the current session' }).click()
    await page.getByText('No payments yet.').waitFor()
    expect(page.url()).toBe(own)
    await page.goto('about:blank')
    await page.goto(`${at.origin}${path}`)
    await page.getByRole('button', { name: /^Sign in to/ }).click()
    await page.getByText('No payments yet.').waitFor()
    expect(page.url()).not.toBe(own)
  })

  it('sends the credential once, has a cookie that no script reads, and stays signed in over a reload', async () => {
    const platform = await at.server.platform()
    const page = await at.open('')
    const asked: { what: string; path: string; headers: Record<string, string> }[] = []
    page.on('request', (request) => {
      const { pathname } = new URL(request.url())
      asked.push({ what: `${request.method()} ${pathname}`, path: pathname, headers: request.headers() })
    })
    await at.signIn(page, platform)
    await page.getByText('No payments yet.').waitFor()
    await page.getByRole('navigation').getByRole('link', { name: 'Settings' }).click()
    await page.getByLabel('Name of a new token').fill('Reports')
    await page.getByRole('button', { name: 'Create' }).click()
    const row = page.getByRole('row').filter({ hasText: 'Reports' })
    await row.waitFor()
    const address = page.url()
    await page.reload()
    await row.waitFor()
    expect(page.url()).toBe(address)

    const withCredential = asked.filter(({ headers }) => 'authorization' in headers)
    expect(withCredential.map(({ what }) => what)).toEqual(['POST /console/session'])
    const ofBook = `/console/api/${platform.platformId}/sandbox/2025-10-13/`
    const ofApi = asked.filter(({ path }) => /^\/(console\/api|2025-10-13)\//.test(path))
    expect(ofApi.map(({ what }) => what)).toContain(`POST ${ofBook}tokens`)
    for (const { path, headers } of ofApi) {
      const isTold = path.endsWith('/stream')
      const own = headers['x-corridor-console']
      expect([path.startsWith(ofBook), own]).toEqual([true, isTold ? 'background' : '1'])
    }
    const kept = await page.evaluate('JSON.stringify([document.cookie, localStorage, sessionStorage])')
    expect(kept).not.toContain('corridor_console')
    expect(kept).not.toContain(platform.clientSecret)
    expect(await page.context().cookies()).toEqual([
      expect.objectContaining({ httpOnly: true, sameSite: 'Strict', path: '/console' }),
    ])
  })

  it('signs out for good: neither a reload nor the cookie of before is let in', async () => {
    const platform = await at.server.platform()
    const page = await at.openAs(platform, '')
    const [cookie] = await page.context().cookies()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByLabel('Client id').waitFor()
    expect(await page.context().cookies()).toEqual([])
    await page.context().addCookies([cookie!])
    await page.reload()
    await page.getByLabel('Client id').waitFor()
    expect((await page.context().cookies()).map(({ value }) => value)).toEqual([cookie!.value])
    expect(await page.locator('.environment').count()).toBe(0)
  })

  it('lets a tab in whose session has ended once somebody has signed in in another', async () => {
    const platform = await at.server.platform()
    const page = await at.openAs(platform, '')
    const other = await page.context().newPage()
    other.setDefaultTimeout(30_000)
    await other.goto(page.url())
    await other.locator('.environment').waitFor()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByLabel('Client id').waitFor()
    await other.reload()
    await other.getByLabel('Client id').fill('what is typed stays')
    await lookedAgain(other)
    expect(await other.getByLabel('Client id').inputValue()).toBe('what is typed stays')
    await at.signIn(page, platform)
    await other.evaluate(`dispatchEvent(new Event('focus'))`)
    await other.locator('.environment').waitFor()
  })

  it('takes nobody from one platform to another where they look again', async () => {
    const [platform, second] = [await at.server.platform(), await at.server.platform()]
    const page = await at.openAs(platform, 'payments')
    const other = await page.context().newPage()
    await other.goto(`${at.origin}/console`)
    await other.getByRole('button', { name: 'Sign out' }).click()
    await at.signIn(other, second)
    await goTo(page, page.url().replace(/payments$/, 'customers'))
    await page.getByRole('status').getByText('This browser is now signed in to another platform').waitFor()
    await lookedAgain(page)
    await page.getByRole('status').getByText('This browser is now signed in to another platform').waitFor()
    expect(page.url()).toMatch(/\/customers$/)
  })

  it('leads a platform from the pages of operators to its own, and shows it none of those', async () => {
    const platform = await at.server.platform()
    const page = await at.openAs(platform, '')
    await page.goto(`${at.origin}/console/operator`)
    await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor()
  })

  it('asks nobody to sign in while the server does not say who is, and asks it again', async () => {
    const platform = await at.server.platform()
    const page = await at.openAs(platform, '')
    await page.route('**/console/session', (route) => route.abort())
    await page.reload()
    await page.getByRole('alert').getByText('was not answered').waitFor()
    expect(await page.getByLabel('Client id').count()).toBe(0)
    await page.unroute('**/console/session')
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor()
    // The browser tells of each request that did not get through.
    at.faults.splice(0)
  })

  it('says that a session has ended, and leads back to where one was', async () => {
    const platform = await at.server.platform()
    const api = at.server.client(platform)
    const { data: token } = await api.POST('/tokens', {
      body: { name: 'of a person', permissions: ['VIEW'] },
    })
    const { id, clientId, clientSecret } = token as { id: string; clientId: string; clientSecret: string }
    const page = await at.openAs({ ...platform, clientId, clientSecret }, 'webhooks')
    await page.getByRole('heading', { level: 1, name: 'Webhooks' }).waitFor()
    await api.DELETE('/tokens/{tokenId}', { params: { path: { tokenId: id } } })
    // What the page asks by itself may be refused before anybody presses a link.
    await goTo(page, page.url().replace(/webhooks$/, 'customers'))
    await page.getByRole('status').getByText('Your session has ended').waitFor()
    await expectAccessible(page, 'signed out')
    await at.signIn(page, platform)
    await page.getByRole('heading', { level: 1, name: 'Customers' }).waitFor()
  })

  it('says that another platform was signed in to beside it, and shows nothing of either', async () => {
    const [platform, other] = [await at.server.platform(), await at.server.platform()]
    const page = await at.openAs(platform, '')
    const basic = Buffer.from(`${other.clientId}:${other.clientSecret}`).toString('base64')
    // As another tab of the same browser does.
    const status = await page.evaluate(
      `fetch('/console/session', { method: 'POST', headers: { authorization: 'Basic ${basic}', 'x-corridor-console': '1' } })
         .then(({ status }) => status)`,
    )
    expect(status).toBe(201)
    const address = page.url()
    await goTo(page, `${address}/customers`)
    const told = page
      .getByRole('status')
      .filter({ hasText: 'This browser is now signed in to another platform' })
    const [, here] = new URL(address).pathname.match(/^\/console\/([^/]+)\//)!
    await told.getByText(`This page shows ${here} sandbox; you are now signed in to`).waitFor()
    await page.reload()
    await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor()
    expect(page.url()).not.toBe(address)
  })

  it('asks for a new sign-in before a change in production, and keeps what was typed', async () => {
    const platform = await at.server.platform({ environment: 'PRODUCTION' })
    const page = await at.openAs(platform, 'settings')
    const name = page.getByLabel('Name of a new token')
    await name.fill('Reports')
    at.server.world.passMs(5 * 60_000)
    const why = page.getByLabel('Reason. The audit log stores it: do not enter names.')
    const create = page.getByRole('button', { name: 'Create the token Reports in production' })
    await page.getByRole('button', { name: 'Create', exact: true }).click()
    expect(await create.isDisabled()).toBe(true)
    await why.fill('Täglicher Bericht, ticket 41')
    await shoot(page, 'reason')
    await expectAccessible(page, 'a reason')
    await create.click()
    const dialog = page.getByRole('dialog', { name: 'Sign in again' })
    await dialog.waitFor()
    await shoot(page, 'sign-in-again')
    await expectAccessible(page, 'sign in again')
    await at.signIn(page, platform)
    await dialog.waitFor({ state: 'detached' })
    expect(await name.inputValue()).toBe('Reports')
    await page.getByRole('button', { name: 'Create', exact: true }).click()
    expect(await why.inputValue()).toBe('Täglicher Bericht, ticket 41')
    await create.click()
    await page.getByRole('row').filter({ hasText: 'Reports' }).waitFor()
    const audited = async () => {
      const response = await at.server.fetch(
        `http://corridor.test/operator/audit-log?platformId=${platform.platformId}&operation=createToken`,
        { headers: { authorization: `Bearer ${operatorKey}` } },
      )
      const { data } = (await response.json()) as { data: { outcome: string; reason?: string }[] }
      return data.map(({ outcome, reason }) => [outcome, reason])
    }
    await expect.poll(audited).toContainEqual(['DONE', 'Täglicher Bericht, ticket 41'])
  })

  it('copies commands that ask the API itself, without a secret', async () => {
    const platform = await at.server.platform()
    const quote = await pay(platform, '678')
    const path = `payments/${encodeURIComponent(quote.transactionId)}`
    const page = await at.openAs(platform, path)
    await page.evaluate('navigator.clipboard.writeText = async (text) => { globalThis.copied = text }')
    await page.getByRole('button', { name: 'Copy as curl' }).click()
    await page.getByRole('status').getByText('copied').waitFor()
    const copied = await page.evaluate('globalThis.copied')
    expect(copied).toContain(`'${at.origin}/2025-10-13/transactions/`)
    expect(copied).toContain('-u "$CORRIDOR_CLIENT_ID:$CORRIDOR_CLIENT_SECRET"')
  })

  it('makes a payment with the keyboard alone, and shows it complete', async () => {
    const platform = await at.server.platform()
    await payer(platform, '678')
    const page = await at.open('')
    await page.getByLabel('Client id').waitFor()
    const keys = page.keyboard
    await keys.press('Tab')
    await keys.type(platform.clientId)
    await keys.press('Tab')
    await keys.type(platform.clientSecret)
    await keys.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor()
    await listening(page)
    await keys.press('g')
    await keys.press('n')
    await page.getByRole('button', { name: 'Get a quote' }).waitFor()
    await reach(page, 'input[inputmode=decimal]')
    await keys.type('1,000.00')
    await keys.press('Enter')
    await page.getByRole('button', { name: /^Pay 1,000.00 USD/ }).waitFor()
    await reach(page, '.acts .main')
    await keys.press('Enter')
    // The quote has its derivation too: only the payment's own page says that it is paid.
    await page.waitForURL(/payments\//)
    await at.server.settle()
    await page.locator('.story.ok').waitFor()
    await page.locator('.story').getByText('sent 1,000.00 USD, Greta Lindholm received').waitFor()
    await page.getByText('OUTGOING_PAYMENT.COMPLETED').first().waitFor()
  })

  it('tells why a payment failed, and whether it may be tried again', async () => {
    const platform = await at.server.platform()
    await pay(platform, '004')
    const page = await at.openAs(platform, 'payments?status=FAILED')
    // The home page has a list of payments too, and goes only when the code of this one is there.
    await page.getByRole('heading', { level: 1, name: 'Payments' }).waitFor()
    const row = page.getByRole('region', { name: 'Payments' }).locator('tbody tr').first()
    await row.getByText('Failed').waitFor()
    await page.keyboard.press('j')
    await row.locator('a:focus').waitFor()
    await page.keyboard.press('Enter')
    // Who came with the keys goes on in what they opened.
    await page.locator('.pane:focus').waitFor()
    const story = page.locator('.story')
    await story.getByText('Safe to retry: yes, with a new quote').waitFor()
    expect(await story.innerText()).toMatch(/Failed\.[\s\S]*failureReason [A-Z_]+[\s\S]*No action is needed/)
  })

  it('counts making it fail among the first steps as done once a payment failed, or a fault hit', async () => {
    const failed = await at.server.platform()
    await pay(failed, '004')
    const first = await at.openAs(failed, '')
    await first.getByText('Make it fail, done').waitFor()

    const faulty = await at.server.platform()
    const api = at.server.client(faulty)
    await api.POST('/sandbox/faults', {
      body: {
        kind: 'ERROR',
        target: 'API',
        params: { status: 503 },
        match: { operationId: 'getCustomerById' },
      },
    } as never)
    const second = await at.openAs(faulty, '')
    await second.getByText('Server, database, clock, done').waitFor()
    await second.getByText('0 failed').waitFor()
    expect(await second.getByText('Make it fail, done').count()).toBe(0)
    const customerId = 'Customer:00000000-0000-0000-0000-000000000000'
    await api.GET('/customers/{customerId}', { params: { path: { customerId } } } as never)
    await second.reload()
    await second.getByText('Make it fail, done').waitFor()
  })

  it('says of a payment that is under way what is to be received, not that it was', async () => {
    const platform = await at.server.platform()
    const quote = await pay(platform, '003')
    const page = await at.openAs(platform, `payments/${encodeURIComponent(quote.transactionId)}`)
    const story = page.locator('.story')
    await story.getByText('Processing.').waitFor()
    expect(await story.innerText()).toMatch(
      /The sender pays 1,000\.00 USD, and the receiver gets [\d,.]+ GBP\./,
    )
  })

  it('shows how each amount of a payment came about, what the ledger posted, and what was checked', async () => {
    const platform = await at.server.platform()
    const quote = await pay(platform, '678')
    const page = await at.openAs(platform, `payments/${encodeURIComponent(quote.transactionId)}`)
    const derivation = page.getByRole('region', { name: 'Derivation' })
    const rowOf = (name: string) => derivation.getByRole('row').filter({ hasText: name })
    await rowOf('Sent, fees included').getByText('1,000.00 USD').waitFor()
    const share = await rowOf('Service fee, share').innerText()
    expect(share).toMatch(/100000 × [\d/]+ = \d/)
    expect(await rowOf('After conversion').innerText()).toMatch(/rounded down to \d+|= \d+\s/)
    const postings = page.getByRole('region', { name: 'Postings' })
    await postings
      .getByRole('link', { name: /^InternalAccount/ })
      .first()
      .waitFor()
    expect(await page.locator('.checks .status.ok').count()).toBe(4)
    expect(await page.locator('.checks .status.bad').count()).toBe(0)
    await page.getByText('Safe to retry: no – the payment was delivered').waitFor()
    await page.locator('.timeline').getByText('the quote was created').waitFor()
    await goTo(page, page.url().replace(/payments\/.*/, `quotes/${encodeURIComponent(quote.id)}`))
    await page.getByRole('heading', { level: 1, name: /^Quote/ }).waitFor()
    await rowOf('Sent, fees included').getByText('1,000.00 USD').waitFor()
  })

  it('waits for a payment that is on its way with who must act, and says until when', async () => {
    const platform = await at.server.platform()
    const { api, account, payee } = await payer(platform, '003')
    const quote = await createQuote(api, quoteBody(account, payee, 100_000))
    const page = await at.openAs(platform, `quotes/${encodeURIComponent(quote.id)}`)
    await page.getByText('Waiting for you. Expected by').waitFor()
    await page.getByText(`POST /quotes/${quote.id}/execute`).waitFor()
    await page.getByText('Safe to retry: yes, with the same key').waitFor()
  })

  it('keeps a page whose explanation is refused', async () => {
    const platform = await at.server.platform()
    const quote = await pay(platform, '678')
    const page = await at.openAs(platform, '')
    await page.route('**/2025-10-13/explain/*', (route) =>
      route.fulfill({
        status: 403,
        json: {
          code: 'FORBIDDEN',
          message: 'It is not allowed.',
          status: 403,
          details: { requiredPermission: 'VIEW' },
        },
      }),
    )
    await goTo(page, `${page.url()}/payments/${encodeURIComponent(quote.transactionId)}`)
    await page.getByRole('alert').getByText('lacks the permission VIEW').waitFor()
    await page.locator('.story.ok').waitFor()
  })

  it('keeps filters in the address: who has it sees the same list', async () => {
    const platform = await at.server.platform()
    await pay(platform, '678')
    await pay(platform, '004')
    const page = await at.openAs(platform, 'payments')
    await page.getByLabel('Status').selectOption('COMPLETED')
    // Of what is completed there was a row before.
    await page.waitForURL(/status=COMPLETED/)
    await page.locator('tbody .status.ok').first().waitFor()
    const address = page.url()
    const other = await at.open(address.slice(`${at.origin}/console`.length))
    await at.signIn(other, platform)
    await other.locator('tbody .status.ok').first().waitFor()
    expect(other.url()).toBe(address)
    expect(await other.locator('tbody .status.bad').count()).toBe(0)
  })

  it('shows a name with markup in it as text', async () => {
    const platform = await at.server.platform()
    const name = '<img src=x onerror=alert(1)>'
    await payer(platform, '678', name)
    const page = await at.openAs(platform, 'customers')
    await page.getByText(name).first().waitFor()
    expect(await page.locator('main img').count()).toBe(0)
  })

  it('leaves no doubt about production, where the sandbox does not exist', async () => {
    const platform = await at.server.platform({ environment: 'PRODUCTION' })
    const page = await at.openAs(platform, 'payments')
    await page.getByText('No payments yet.').waitFor()
    expect(await page.locator('.environment').innerText()).toBe('PRODUCTION')
    expect(page.url()).toContain('/production/')
    expect(await page.title()).toContain('production')
    expect(await page.getByRole('link', { name: 'Sandbox' }).count()).toBe(0)
    await shoot(page, 'production')
    await expectAccessible(page, 'production')
  })

  it('says what an unknown id is, and what a refusal lacks', async () => {
    const platform = await at.server.platform()
    const id = 'Transaction:00000000-0000-0000-0000-000000000000'
    const page = await at.openAs(platform, `payments/${encodeURIComponent(id)}`)
    await page.getByRole('alert').getByText(`No resource has the id ${id}`).waitFor()
    await expectAccessible(page, 'unknown id')
    const token = (await at.server.client(platform).POST('/tokens', {
      body: { name: 'looks', permissions: ['VIEW'] },
    })) as { data?: { clientId: string; clientSecret: string } }
    const viewer = await at.openAs({ ...platform, ...token.data! }, 'settings')
    await viewer.getByLabel('Name of a new token').fill('another')
    await viewer.getByRole('button', { name: 'Create' }).click()
    await viewer.getByRole('alert').getByText('lacks the permission').waitFor()
  })

  it('keeps what it shows when the server is not reached, and says that it is not up to date', async () => {
    const platform = await at.server.platform()
    await pay(platform, '678')
    const page = await at.openAs(platform, '')
    // What is under way while requests begin to be stopped may hang in between.
    const looked = page.waitForResponse(/transactions\?limit=1$/)
    await goTo(page, `${new URL(page.url()).pathname}/payments`)
    await page.locator('tbody .status.ok').first().waitFor()
    await looked
    await page.route('**/2025-10-13/transactions?*', (route) => route.abort())
    await page.locator('.stale').waitFor()
    expect(await page.locator('tbody .status.ok').count()).toBeGreaterThan(0)
    await page.unroute('**/2025-10-13/transactions?*')
    await page.locator('.stale').waitFor({ state: 'detached' })
    // The browser tells of each request that did not get through.
    at.faults.splice(0)
  })

  it('says so as well where the server was lost right after the list was read', async () => {
    const platform = await at.server.platform()
    await pay(platform, '678')
    const page = await at.openAs(platform, '')
    await page.route(/transactions\?limit=1$/, (route) => route.abort())
    await goTo(page, `${new URL(page.url()).pathname}/payments`)
    await page.locator('tbody .status.ok').first().waitFor()
    await page.locator('.stale').waitFor()
    // It goes on asking in vain, which the browser tells of, until it is closed.
    await page.close()
    at.faults.splice(0)
  })

  it('asks again before what cannot be taken back, with its name on the button', async () => {
    const platform = await at.server.platform()
    const api = at.server.client(platform)
    await api.POST('/tokens', { body: { name: 'Reports', permissions: ['VIEW'] } })
    const page = await at.openAs(platform, 'settings')
    const row = page.getByRole('row').filter({ hasText: 'Reports' })
    await row.getByRole('button', { name: 'Revoke' }).click()
    await row.getByRole('button', { name: 'No' }).click()
    await row.getByRole('button', { name: 'Revoke', exact: true }).click()
    await row.getByRole('button', { name: 'Revoke Reports for good' }).click()
    await row.waitFor({ state: 'detached' })
    const { data } = await api.GET('/tokens', { params: { query: {} } })
    expect(data!.data.map(({ name }) => name)).not.toContain('Reports')
  })

  it('scrolls ten thousand payments with few rows in the document', async () => {
    const platform = await at.server.platform()
    const quote = await pay(platform, '678')
    const payment = (
      await at.server.client(platform).GET('/transactions/{transactionId}', {
        params: { path: { transactionId: quote.transactionId } },
      })
    ).data!
    const page = await at.open('')
    await page.route('**/2025-10-13/transactions?*', (route) => {
      const from = Number(new URL(route.request().url()).searchParams.get('cursor') ?? 0)
      const data = Array.from({ length: 100 }, (_, index) => ({
        ...payment,
        id: `Transaction:00000000-0000-0000-0000-${String(from + index).padStart(12, '0')}`,
      }))
      const hasMore = from + 100 < 10_000
      const body = {
        data,
        hasMore,
        totalCount: 10_000,
        ...(hasMore ? { nextCursor: String(from + 100) } : {}),
      }
      return route.fulfill({ json: body })
    })
    await at.signIn(page, platform)
    await page.getByRole('link', { name: 'Payments', exact: true }).click()
    const list = page.getByRole('region', { name: 'Payments', exact: true })
    await list.locator('tbody tr').first().waitFor()
    let most = 0
    // However long each page takes on its way.
    while ((await list.locator('tr[aria-rowindex="10001"]').count()) === 0) {
      await list.evaluate((element) => {
        element.scrollTop = element.scrollHeight
      })
      most = Math.max(most, await list.locator('tbody tr').count())
    }
    expect(most).toBeLessThan(80)
    expect(await list.locator('table').getAttribute('aria-rowcount')).toBe('10001')
  }, 180_000)

  describe('every page', () => {
    let platform: Platform
    let places: readonly (readonly [name: string, path: string])[]

    beforeAll(async () => {
      platform = await at.server.platform()
      const quote = await pay(platform, '678')
      await pay(platform, '005')
      const { customer, account } = await payer(platform, '678')
      const api = at.server.client(platform)
      const { data } = await api.GET('/webhook-events', { params: { query: {} } })
      const { data: log } = await api.GET('/request-log', { params: { query: {} } })
      places = [
        ['home', ''],
        ['payments', 'payments'],
        ['payments-empty', 'payments?status=REJECTED'],
        ['payment', `payments/${encodeURIComponent(quote.transactionId)}`],
        ['new-quote', 'quotes/new'],
        ['quote', `quotes/${encodeURIComponent(quote.id)}`],
        ['customers', 'customers'],
        ['customer', `customers/${encodeURIComponent(customer.id)}`],
        ['accounts', 'accounts'],
        ['account', `accounts/${encodeURIComponent(account.id)}`],
        ['webhooks', 'webhooks'],
        ['webhook', `webhooks/${encodeURIComponent(data!.data[0]!.id)}`],
        ['requests', 'requests'],
        ['request', `requests/${encodeURIComponent(log!.data[0]!.requestId)}`],
        ['ledger', 'ledger'],
        ['ledger-account', `ledger/${encodeURIComponent(`avail:${account.id}`)}`],
        ['sandbox', 'sandbox'],
        ['cards', 'cards'],
        ['agents', 'agents'],
        ['stablecoins', 'stablecoins'],
        ['settings', 'settings'],
      ]
    })

    async function walk(page: Page, visit: (name: string) => Promise<void>) {
      const base = new URL(page.url()).pathname
      for (const [name, path] of places) {
        await goTo(page, path === '' ? base : `${base}/${path}`)
        await page.locator('main h1').waitFor()
        await page.locator('main:not(:has(.skeleton))').waitFor()
        await visit(name)
      }
    }

    it.each(['light', 'dark'] as const)(
      'breaks no rule of accessibility (%s)',
      async (theme) => {
        const page = await at.open('')
        await page.evaluate(`localStorage.setItem('corridor.theme', '${theme}')`)
        await page.reload()
        await shoot(page, `sign-in-${theme}`)
        await expectAccessible(page, 'sign in')
        await at.signIn(page, platform)
        await walk(page, async (name) => {
          await shoot(page, `${name}-${theme}`)
          await expectAccessible(page, `${name}, ${theme}`)
        })
      },
      180_000,
    )

    it('fits on a phone without scrolling sideways', async () => {
      const page = await at.openAs(platform, '', phone)
      await walk(page, async (name) => {
        await shoot(page, `${name}-phone`)
        await expectNoSidewaysScroll(page, name)
      })
      await page.getByRole('button', { name: 'Menu' }).click()
      await page.getByRole('link', { name: 'Payments', exact: true }).click()
      await page.getByRole('heading', { level: 1, name: 'Payments' }).waitFor()
    })
  })

  /** Tab by tab to the field or button that is meant, as a person without a pointer does. */
  async function reach(page: Page, selector: string): Promise<void> {
    for (let presses = 0; presses < 40; presses++) {
      if (await page.evaluate(`document.activeElement?.matches(${JSON.stringify(selector)})`)) return
      await page.keyboard.press('Tab')
    }
    throw new Error(`${selector} is not reached with the tab key`)
  }
})
