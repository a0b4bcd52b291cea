import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import {
  createCustomer,
  createPayee,
  createQuote,
  execute,
  fund,
  internalAccountOf,
  must,
  operatorKey,
  quoteBody,
} from '@corridor/testkit/index.ts'
import { expect, it } from 'vitest'
import { phone } from '../browser/browser.ts'
import { json } from '../e2e/raw-calls.ts'
import { describeConsole, expectAccessible, expectNoSidewaysScroll, goTo, shoot } from './opened-console.ts'

describeConsole('the pages of operators', (at) => {
  async function operate(method: string, path: string, body?: object, key = operatorKey) {
    const response = await at.server.fetch(`http://corridor.test/operator${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, ...(body ? json : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    return JSON.parse((await response.text()) || '{}') as Record<string, string>
  }

  async function join(joinCode: string): Promise<{ id: string; key: string }> {
    const response = await at.server.fetch('http://corridor.test/operator/join', {
      method: 'POST',
      headers: json,
      body: JSON.stringify({ joinCode }),
    })
    return JSON.parse(await response.text())
  }

  async function openAs(key: string, path = '/operator', size?: { width: number; height: number }) {
    const page = await at.open(path, size)
    await at.signInAsOperator(page, key)
    await page.locator('.environment').getByText('OPERATOR').waitFor()
    return page
  }

  it('sign in with a key that stays nowhere, say whether the money is sound, and stay over a reload', async () => {
    await at.server.platform()
    const page = await openAs(operatorKey)
    await page.getByText('The audit found no problems.').waitFor()
    await page.getByRole('link', { name: '0 dead jobs' }).waitFor()
    await page.reload()
    await page.getByText('The audit found no problems.').waitFor()
    const kept = await page.evaluate('JSON.stringify([document.cookie, localStorage, sessionStorage])')
    expect(kept).not.toContain(operatorKey)
  })

  it('carry a bar on every page while money does not add up, with what to do', async () => {
    const platform = await at.server.platform()
    const api = at.server.client(platform)
    const { id } = await createCustomer(api)
    const account = await internalAccountOf(api, id, 'USD')
    await fund(api, account.id, 100_00)
    const tamper = (minor: number) =>
      at.server.engine.database.asLogin((connection) =>
        connection.script(
          `update ledger_accounts set credits_posted = credits_posted + (${minor}) where id = 'avail:${account.id}'`,
        ),
      )
    const sound = await openAs(operatorKey, '/operator/jobs')
    await sound.locator('header').getByRole('link', { name: 'Sound', exact: true }).waitFor()
    expect(await sound.getByRole('alert').count()).toBe(0)

    await tamper(1)
    try {
      const page = await openAs(operatorKey, '/operator/jobs')
      await page.locator('header').getByRole('link', { name: 'Unsound' }).waitFor()
      const bar = page.getByRole('alert').filter({ hasText: 'The ledger does not balance.' })
      const guide = bar.getByRole('link', { name: 'What to do now' })
      const address = (await guide.getAttribute('href'))!
      expect(address).toMatch(/^\/docs\/guides\//)
      expect([address, existsSync(resolve(import.meta.dirname, `../..${address}.md`))]).toEqual([
        address,
        true,
      ])
      await shoot(page, 'operator-unsound')
      await expectAccessible(page, 'operators, unsound')
      await page.getByRole('link', { name: 'Platforms', exact: true }).click()
      await page.getByRole('heading', { level: 1, name: 'Platforms' }).waitFor()
      await bar.getByRole('link', { name: 'findings' }).click()
      await page.getByText('The audit found problems.').waitFor()
      const verdict = page.locator('.story.bad')
      await verdict.getByRole('link', { name: `avail:${account.id}` }).waitFor()
      await verdict.getByText('Payments continue until an operator').waitFor()
      await verdict.getByRole('link', { name: 'Pause payouts…' }).waitFor()

      const theirs = await at.openAs(platform, 'customers', phone)
      await theirs.getByRole('alert').getByText('The ledger does not balance.').waitFor()
      await shoot(theirs, 'platform-unsound-phone')
      await expectNoSidewaysScroll(theirs, 'a platform, unsound')
      await expectAccessible(theirs, 'a platform, unsound')

      // A balance that does not know of a posting: that one is named, and leads to what it moved.
      await tamper(-11)
      await page.getByRole('button', { name: 'Check now' }).click()
      await verdict.getByText('First bad posting:').first().waitFor()
      await shoot(page, 'operator-first-bad-posting')
      await verdict.locator('a[href*="/ledger/journals/"]').first().click()
      await page.getByRole('heading', { level: 1, name: /^Journal · / }).waitFor()
    } finally {
      await at.server.engine.database.asLogin((connection) =>
        connection.script(
          `update ledger_accounts set credits_posted = 10000 where id = 'avail:${account.id}'`,
        ),
      )
    }
  })

  it('show what is stuck by rail, which leads to the payment', async () => {
    const platform = await at.server.platform()
    const api = at.server.client(platform)
    const { id } = await createCustomer(api)
    const account = await internalAccountOf(api, id, 'USD')
    await fund(api, account.id, 100_000)
    const payee = await createPayee(api, 'MXN', '646180110400000891', { customerId: id })
    await must(api.POST('/sandbox/faults', { body: { target: 'RAIL', kind: 'SILENCE' } as never }))
    const quote = await createQuote(api, quoteBody(account, payee, 10_000))
    await execute(api, quote.id)
    await at.server.settle()
    await at.server.advance(platform, 7_260_000)
    const page = await openAs(operatorKey, '/operator')
    const board = page.getByRole('region', { name: 'Stuck payments' })
    await board.getByText('SPEI', { exact: true }).waitFor()
    await board.getByText('2 h late').waitFor()
    await shoot(page, 'operator-stuck')
    await expectAccessible(page, 'operator, stuck')
    await board.locator(`a[title="${quote.transactionId}"]`).click()
    await page.getByText(quote.transactionId).first().waitFor()
    expect(new URL(page.url()).pathname).toContain(`/${platform.platformId}/sandbox/payments/`)
  })

  it('pause payouts, and the page of a payment that waits says so to its platform', async () => {
    const platform = await at.server.platform()
    const api = at.server.client(platform)
    const { id } = await createCustomer(api)
    const account = await internalAccountOf(api, id, 'USD')
    await fund(api, account.id, 100_000)
    const payee = await createPayee(api, 'GBP', '12345678', { customerId: id })
    const page = await openAs(operatorKey, '/operator/rails')
    const form = page
      .locator('section')
      .filter({ has: page.getByRole('heading', { name: 'Pause payouts', exact: true }) })
    await form.locator('select[name=environment]').selectOption('SANDBOX')
    await form.locator('select[name=platformId]').selectOption(platform.platformId)
    const act = form.getByRole('button', { name: 'Pause payouts', exact: true })
    await expect.poll(() => act.isDisabled()).toBe(true)
    await form.locator('input[name=reason]').fill('Ruiz of the bank called')
    await form.locator('select[name=reasonCode]').selectOption('INVESTIGATION')
    await act.click()
    await form.getByRole('button', { name: /^Pause all rails payouts for .* in SANDBOX$/ }).click()
    await form.getByText('Paused: no payments are handed over.').waitFor()

    const quote = await createQuote(api, quoteBody(account, payee, 10_000))
    await execute(api, quote.id)
    await at.server.settle()
    const theirs = await at.openAs(platform, `payments/${encodeURIComponent(quote.transactionId)}`)
    await theirs.getByText('Waiting for the operator of this installation.').waitFor()
    await theirs.getByText('Payouts are paused (something is examined)').waitFor()
    expect(await theirs.getByText('Ruiz').count()).toBe(0)
    await shoot(theirs, 'payment-paused')
    await expectAccessible(theirs, 'a payment that waits at a pause')

    await page.reload()
    const board = page.getByRole('region', { name: 'Rails' })
    await board
      .getByRole('row')
      .filter({ hasText: 'FASTER_PAYMENTS' })
      .getByText('1', { exact: true })
      .first()
      .waitFor()
    await shoot(page, 'operator-rails-paused')
    await expectAccessible(page, 'rails, paused')
    const pauses = page.getByRole('region', { name: 'Pauses' })
    await pauses.getByRole('button', { name: 'Lift…' }).first().click()
    await pauses.getByLabel('Reason (optional).').fill('All is well again')
    await pauses.getByRole('button', { name: /^Lift the pause of all rails of / }).click()
    await page.getByText('Done.').waitFor()
    await pauses.getByText('Ruiz of the bank called → All is well again').waitFor()
    await shoot(page, 'operator-rails-lifted')
    await at.server.settle()
    // With the pause, and on record with the act.
    const log: { data?: unknown } = await operate(
      'GET',
      '/audit-log?operation=operatorLiftPause&outcome=DONE',
    )
    expect(log.data).toEqual([expect.objectContaining({ reason: 'All is well again' })])
    await expect
      .poll(async () => {
        const params = { path: { transactionId: quote.transactionId } }
        return (await must(api.GET('/transactions/{transactionId}', { params }))).status
      })
      .toBe('COMPLETED')
  })

  it('make a platform, whose secret is shown once, and give it a token and take it away', async () => {
    await at.server.platform()
    const page = await openAs(operatorKey, '/operator/platforms')
    await page.getByLabel(/^Name; the same one again/).fill('Nightly Pay')
    await page.getByRole('button', { name: 'New platform' }).click()
    await page.getByText('The secret is shown only once').waitFor()
    const row = page.getByRole('row').filter({ hasText: 'Nightly Pay' })
    await row.getByRole('link', { name: '1 key', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: 'Nightly Pay SANDBOX' }).waitFor()
    await page.getByLabel('Name of a new token').fill('Reports')
    await page.getByRole('button', { name: 'Issue a token' }).click()
    await page.getByText('The secret is shown only once').waitFor()
    const token = page.getByRole('region', { name: 'Tokens' }).getByRole('row').filter({ hasText: 'Reports' })
    await token.getByText('VIEW').waitFor()
    // It was not used yet; the first one of the platform neither.
    await token.getByText('never').waitFor()
    await page.getByLabel('TRANSACT: pay').waitFor()
    await token.getByRole('button', { name: 'Revoke' }).click()
    await token.getByRole('button', { name: 'Revoke Reports of Nightly Pay SANDBOX for good' }).click()
    await token.waitFor({ state: 'detached' })
    const keys = page
      .locator('section, div')
      .filter({ has: page.getByRole('heading', { name: 'Key that signs its webhooks' }) })
      .last()
    const before = (await keys.getByText(/signs now\.$/).innerText()).split(' ')[0]!
    await keys.getByRole('button', { name: 'Replace the key' }).click()
    await keys
      .getByRole('button', { name: 'Replace the key that signs the webhooks of Nightly Pay SANDBOX' })
      .click()
    const told = await keys.getByText(/is published, and will sign from/).innerText()
    expect(told.split(' ')[0]).not.toBe(before)
    await shoot(page, 'webhook-key')
    await expectAccessible(page, 'the page of a platform')
    // One is waiting already.
    await keys.getByRole('button', { name: 'Replace the key' }).click()
    await keys.getByRole('button', { name: /^Replace the key that signs/ }).click()
    await keys.getByRole('alert').getByText('CONFLICT').first().waitFor()
    const copies = page.getByRole('group', { name: 'Copy as' }).getByRole('button')
    expect(await copies.allInnerTexts()).toEqual(['curl', 'CLI', 'JSON', 'Link'])
  })

  it('freeze an account from its page, and retry what failed alike together', async () => {
    const platform = await at.server.platform()
    const api = at.server.client(platform)
    const { id } = await createCustomer(api)
    const account = await internalAccountOf(api, id, 'USD')
    const place = `/${platform.platformId}/sandbox/accounts/${encodeURIComponent(account.id)}`
    const page = await at.open(place)
    await at.signInAsOperator(page, operatorKey)
    const acts = page.locator('section').filter({ hasText: 'What operators can do' })
    await acts.getByRole('button', { name: 'Freeze', exact: true }).click()
    await acts.getByRole('button', { name: 'Freeze this account with 0.00 USD' }).click()
    await acts.getByRole('button', { name: 'Release' }).waitFor()
    const theirs = await at.openAs(platform, `accounts/${encodeURIComponent(account.id)}`)
    await theirs.getByRole('heading', { name: 'Funding instructions' }).waitFor()
    expect(await theirs.getByText('What operators can do').count()).toBe(0)

    for (const key of ['a', 'b']) {
      await at.server.rows(
        `insert into jobs (platform_id, environment, id, kind, payload, key, run_at, due_at, attempts, last_error,
           dead_at, created_at)
         values ($1, 'SANDBOX', $2, 'customers.open-accounts', '{"currencies":["USD"]}', $3, now(), now(), 20,
           'no luck', now(), now())`,
        [platform.platformId, at.server.world.uuid(), key],
      )
    }
    const jobs = await openAs(operatorKey, '/operator/jobs')
    await jobs.getByText('2 × customers.open-accounts: no luck').waitFor()
    await jobs.getByRole('button', { name: 'Retry all like this' }).click()
    await jobs.getByRole('button', { name: 'Retry 2 jobs' }).click()
    await jobs.getByText('2 are tried again.').waitFor()
    await jobs.getByText('No dead jobs.').waitFor()
  })

  it('refuse a wrong key', async () => {
    const page = await at.open('/operator')
    await at.signInAsOperator(page, 'operator_wrong')
    await page.getByRole('alert').waitFor()
    expect(await page.locator('.environment').count()).toBe(0)
  })

  it('lead into a platform and back, also after a reload', async () => {
    const platform = await at.server.platform()
    const page = await openAs(operatorKey, '/operator/platforms')
    const row = page.getByRole('row').filter({ has: page.locator(`[title="${platform.platformId}"]`) })
    await row.getByRole('link').first().click()
    await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor()
    expect(new URL(page.url()).pathname).toBe(`/console/${platform.platformId}/sandbox`)
    await page.reload()
    await page.getByText('No payments yet.').waitFor()
    await page.getByRole('link', { name: 'To the operator pages' }).click()
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
  })

  /** As if all had joined a week ago. */
  const countAsSecondPersons = () =>
    at.server.rows(`update operators set joined_at = joined_at - interval '7 days'`)

  it('let another person approve what one has proposed, and say whose role is too low', async () => {
    const first = await join(
      (await operate('POST', '/operators', { name: 'Ann', role: 'ADMINISTRATOR' })).joinCode!,
    )
    const second = await (async () => {
      await countAsSecondPersons()
      const made = await operate('POST', '/operators', { name: 'Bob', role: 'ADMINISTRATOR' })
      if ('status' in made && made.status === 'OPEN') {
        await operate('POST', `/proposals/${made.id}/approve`, undefined, first.key)
      }
      return join(made.joinCode!)
    })()
    await countAsSecondPersons()
    const { joinCode } = await operate('POST', '/operators', { name: 'Cleo', role: 'VIEWER' }, first.key)
    const page = await openAs(second.key, '/operator')
    await page.getByRole('link', { name: '1 proposal is waiting for a second person', exact: true }).click()
    const proposals = page.getByRole('region', { name: 'Proposals' })
    await proposals.getByRole('button', { name: 'Approve' }).first().click()
    await proposals.getByText('By Ann').waitFor()
    await proposals.getByRole('button', { name: 'Approve: Give an account: name Cleo, role VIEWER' }).click()
    await page.getByRole('region', { name: 'Operators' }).getByText('Cleo').waitFor()
    // Who proposed the account has its code; who approves it gets none.
    expect(await page.getByText('Join code of the new account').count()).toBe(0)
    const viewer = await join(joinCode!)

    const limited = await openAs(viewer.key, '/operator/reviews')
    await limited.getByRole('alert').getByText('lacks the permission REVIEWER').waitFor()
    // What is always refused is not offered.
    await goTo(limited, '/console/operator/staff')
    await limited.getByText('An administrator creates and ends accounts.').waitFor()
    const operators = limited.getByRole('region', { name: 'Operators' })
    await operators.getByText('Cleo').waitFor()
    expect(await operators.getByRole('button', { name: 'End' }).count()).toBe(0)
    await operate('POST', '/operators', { name: 'Dora', role: 'VIEWER' }, second.key)
    const keyed = await openAs(operatorKey, '/operator/staff')
    await keyed.getByText('Sign in with your own operator account to approve.').waitFor()
    expect(await keyed.getByRole('button', { name: 'Approve', exact: true }).isDisabled()).toBe(true)
  })

  it('show who did what, with filters in the address, and save the chain', async () => {
    const page = await openAs(operatorKey, '/operator/audit-log?operation=openConsoleSession')
    const list = page.getByRole('region', { name: 'Audit log' })
    await list.getByText('openConsoleSession').first().waitFor()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export the installation' }).click(),
    ])
    expect(download.suggestedFilename()).toBe('audit-log-installation.json')
  })

  it.each(['desktop', 'phone'] as const)(
    'break no rule of accessibility and fit (%s)',
    async (size) => {
      const { platformId } = await at.server.platform()
      const one = `/platforms/${platformId}?environment=SANDBOX`
      const page = await openAs(operatorKey, '/operator', size === 'phone' ? phone : undefined)
      for (const path of [
        '',
        '/platforms',
        one,
        '/reviews',
        '/rails',
        '/jobs',
        '/events',
        '/suspense',
        '/receivables',
        '/audit-log',
        '/staff',
      ]) {
        await goTo(page, `/console/operator${path}`)
        await page.locator('main h1').waitFor()
        await page.locator('main:not(:has(.skeleton))').waitFor()
        await shoot(page, `operator${path === one ? '-platform' : path.replace('/', '-')}-${size}`)
        await expectAccessible(page, `operator${path}, ${size}`)
        await expectNoSidewaysScroll(page, `operator${path}, ${size}`)
      }
    },
    60_000,
  )
})
