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
import { desktop, phone } from '../browser/browser.ts'
import { onboarding } from '../e2e/onboarding.ts'
import { clabe } from '../e2e/payment-api.ts'
import { json } from '../e2e/raw-calls.ts'
import { describeConsole, expectAccessible, expectNoSidewaysScroll, shoot } from './opened-console.ts'

describeConsole('what operators decide', (at) => {
  async function openAs(key: string, path = '/operator', size = desktop) {
    const page = await at.open(path, size)
    await at.signInAsOperator(page, key)
    return page
  }

  async function hire(name: string, role: string): Promise<{ id: string; key: string }> {
    const ask = async (path: string, body: object) => {
      const response = await at.server.fetch(`http://corridor.test/operator/${path}`, {
        method: 'POST',
        headers: { ...json, authorization: `Bearer ${operatorKey}` },
        body: JSON.stringify(body),
      })
      return JSON.parse(await response.text())
    }
    const { joinCode } = await ask('operators', { name, role })
    return ask('join', { joinCode })
  }

  it('name the amount of a failed refund that waits, and say afterwards where it went', async () => {
    const platform = await at.server.platform()
    const api = at.server.client(platform)
    const { id } = await createCustomer(api)
    const account = await internalAccountOf(api, id, 'USD')
    await fund(api, account.id, 10_000)
    const payee = await createPayee(api, 'MXN', clabe('007'), { customerId: id })
    const quote = await createQuote(api, quoteBody(account, payee, 10_000))
    await execute(api, quote.id)
    await at.server.settle()
    await at.server.advance(platform, 600_000)
    // What waits is what the book of suspense says, which is not what the payment sent.
    await at.server.rows('update suspense_items set amount = 9000 where id = $1', [quote.transactionId])
    const place = `/${platform.platformId}/sandbox/payments/${encodeURIComponent(quote.transactionId)}`
    const page = await openAs(operatorKey, place)
    const acts = page.locator('section').filter({ hasText: 'What operators can do' })
    await acts.getByText('90.00 USD waits in suspense').waitFor()
    const all = await openAs(operatorKey, `/operator/suspense?book=${platform.platformId}+SANDBOX`)
    await all.getByText('90.00 USD', { exact: true }).waitFor()
    await all.getByLabel('Reason, stored').first().fill('It is theirs')
    await all.getByRole('button', { name: 'Send back' }).click()
    await all.getByRole('button', { name: 'Send 90.00 USD back' }).waitFor()
    await all.getByRole('link', { name: /^Transaction …/ }).click()
    await all.getByText('90.00 USD waits in suspense').waitFor()
    expect(new URL(all.url()).pathname).toBe(new URL(page.url()).pathname)
    await shoot(page, 'operator-failed-refund')
    await at.server.rows('update suspense_items set amount = 10000 where id = $1', [quote.transactionId])
    await page.reload()
    await acts.getByText('100.00 USD waits in suspense').waitFor()
    await acts.getByLabel('Reason, stored with the decision').fill('The customer called')
    await acts.getByRole('button', { name: 'To the account' }).click()
    await acts.getByRole('button', { name: 'Credit 100.00 USD to the owner’s account' }).click()
    await acts.getByText('credited the 100.00 USD to the owner’s account').waitFor()
    await acts.getByText('The customer called').waitFor()
    await acts.getByRole('button', { name: 'To the account' }).waitFor({ state: 'detached' })
    await shoot(page, 'operator-failed-refund-decided')
    await expectAccessible(page, 'a failed refund, decided')
  })

  it('read on a phone what another has proposed, why and by whom, before they agree to it', async () => {
    const ask = async (path: string, body: object, key = operatorKey) => {
      const headers = { authorization: `Bearer ${key}`, ...json }
      const init = { method: 'POST', headers, body: JSON.stringify(body) }
      return (await at.server.fetch(`http://corridor.test/operator/${path}`, init)).json()
    }
    const dora = await hire('Dora Lift', 'OPERATOR')
    const emil = await hire('Emil', 'OPERATOR')
    const said = {
      rail: 'SPEI',
      environment: 'SANDBOX',
      reasonCode: 'RAIL_UNAVAILABLE',
      reason: 'The bank called',
    }
    const pause = await ask('pauses', said)
    const lift = `pauses/${encodeURIComponent(pause.id)}/lift`
    const reason = 'The bank called again, and all is well with it since nine'
    expect(await ask(lift, { reason }, dora.key)).toMatchObject({ status: 'OPEN' })

    const page = await openAs(emil.key, '/operator/rails', phone)
    await page.getByRole('link', { name: 'Lifting is proposed: approve or reject' }).click()
    const proposals = page.getByRole('region', { name: 'Proposals' })
    const one = proposals.getByRole('listitem').filter({ hasText: reason })
    await one.getByText('Lift the pause: SPEI, of all platforms, SANDBOX; no new payment waits').waitFor()
    await one.getByText('By Dora Lift, until').waitFor()
    await expectNoSidewaysScroll(page, 'proposals')
    await shoot(page, 'operator-proposals-phone')
    await expectAccessible(page, 'proposals on a phone')
    await one.getByRole('button', { name: 'Approve', exact: true }).click()
    await one
      .getByRole('button', { name: /^Approve: Lift the pause: SPEI, of all platforms, SANDBOX/ })
      .click()
    await page.getByText('Done.').first().waitFor()
    const lifted = await at.server.fetch(
      `http://corridor.test/operator/pauses/${encodeURIComponent(pause.id)}`,
      {
        headers: { authorization: `Bearer ${operatorKey}` },
      },
    )
    expect(await lifted.json()).toMatchObject({ status: 'LIFTED', liftReason: reason })
  })

  it('see how long a review has left, and decide a large one in twos', async () => {
    const customers = onboarding(at.server, await at.server.platform())
    const { id } = await customers.completeBusiness('77001')
    const { id: verificationId } = (await customers.verify(id)).data!
    const ann = await hire('Ann', 'REVIEWER')
    const bob = await hire('Bob', 'REVIEWER')
    const path = `/operator/reviews/${encodeURIComponent(verificationId)}`

    const first = await openAs(ann.key, '/operator/reviews')
    const row = first
      .getByRole('region', { name: 'Reviews' })
      .getByRole('row')
      .filter({ hasText: 'two people' })
    await row.getByText('≤ 100,000.00 USD').waitFor()
    await row.getByText('24 h left').waitFor()
    await shoot(first, 'operator-reviews-left')
    await expectAccessible(first, 'reviews, with what is left')
    await row.click()
    await first.getByRole('heading', { level: 1, name: /^Review of \S/ }).waitFor()
    const facts = first.locator('.facts')
    expect(await facts.locator('.status').innerText()).toContain('Pending manual review')
    await first.getByText('Certificate of incorporation').waitFor()
    // Codes stand in all that is known alone.
    for (const text of [
      await facts.innerText(),
      await first.locator('section:has(> h2:text-is("Documents"))').innerText(),
    ])
      expect(text).not.toMatch(/[A-Z]{3,}_[A-Z]/)
    const copies = first.getByRole('group', { name: 'Copy as' }).getByRole('button')
    expect(await copies.allInnerTexts()).toEqual(['curl', 'CLI', 'JSON', 'Link'])
    await first.getByLabel('Note, or reason for a rejection').fill('The register agrees')
    await first.getByRole('button', { name: 'Approve', exact: true }).click()
    await first
      .getByRole('button', { name: 'Approve for good, 10,000.00 USD to 100,000.00 USD a month' })
      .click()
    await first.getByText('Proposed. Another operator has to approve it').waitFor()
    await first.getByRole('button', { name: 'Take back' }).waitFor()
    expect(await first.getByRole('button', { name: 'Agree', exact: true }).count()).toBe(0)
    await shoot(first, 'operator-review-proposed')

    const second = await openAs(bob.key, path, phone)
    await second.getByText('The register agrees').first().waitFor()
    await shoot(second, 'operator-review-second-phone')
    await expectAccessible(second, 'a review that another has proposed to approve')
    await expectNoSidewaysScroll(second, 'a review that another has proposed to approve')
    await second.getByRole('button', { name: 'Agree', exact: true }).click()
    await second.getByRole('button', { name: /^Agree for good: Approve, / }).click()
    await second.getByRole('button', { name: 'Reject', exact: true }).waitFor({ state: 'detached' })
    await expect
      .poll(async () => ((await customers.read(id)) as { kybStatus?: string }).kybStatus)
      .toBe('APPROVED')
  })

  it('see in one line what there is, where each word leads to its rows', async () => {
    const customers = onboarding(at.server, await at.server.platform())
    const { id } = await customers.completePerson('Mira Okafor 001')
    await customers.verify(id)
    await at.server.advance(customers.platform, 25 * 3_600_000)
    const page = await openAs(operatorKey)
    const line = page.getByRole('navigation', { name: 'Summary' })
    await line.getByRole('link', { name: 'money sound' }).waitFor()
    await line.getByRole('link', { name: 'dead jobs 0' }).waitFor()
    await line.getByRole('link', { name: 'endpoints failing 0' }).waitFor()
    await line.getByRole('link', { name: /^stuck 0/ }).click()
    await expect.poll(() => new URL(page.url()).hash).toBe('#stuck')
    await page.getByText('Go-live checklist').waitFor()
    await shoot(page, 'operator-summary')
    await expectAccessible(page, 'the overview, with its line')
    await line.getByRole('link', { name: /^reviews \d+ \(oldest 25 h\)/ }).click()
    await page.getByRole('heading', { level: 1, name: 'Reviews' }).waitFor()
    await page.getByText('overdue by').first().waitFor()
    await shoot(page, 'operator-reviews-overdue')
    await must(customers.api.GET('/config'))
  })
})
