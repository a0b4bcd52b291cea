import {
  createPayee,
  createQuote,
  execute,
  fund,
  must,
  operatorKey,
  quoteBody,
} from '@corridor/testkit/index.ts'
import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { conflictReasons } from '../../packages/engine/src/vocabulary/conflict-reasons.ts'
import { phone } from '../browser/browser.ts'
import { operate } from '../e2e/onboarding.ts'
import { paymentApi } from '../e2e/payment-api.ts'
import { json } from '../e2e/raw-calls.ts'
import { describeConsole, expectAccessible, expectNoSidewaysScroll, goTo, shoot } from './opened-console.ts'

describeConsole('receivables', (at) => {
  let payments: Awaited<ReturnType<typeof paymentApi>>
  let transactionId: string
  let bank: Awaited<ReturnType<typeof createPayee>>
  let id: string

  /** 400 dollars collected from a bank for a payee that gets them; the bank takes them back ten minutes later. */
  beforeAll(async () => {
    payments = await paymentApi(at.server)
    const { api, platform, customer } = payments
    bank = await createPayee(api, 'USD', '000123456891', { customerId: customer.id })
    const fault = {
      kind: 'OUTCOME',
      target: 'RAIL',
      match: { accountId: bank.id },
      params: { outcome: '005', seconds: 600 },
    }
    await must(api.POST('/sandbox/faults', { body: fault as never }))
    // The refund of a payout that failed is there to be taken back: 300 of it are spent, 100 are left.
    const payee = await createPayee(api, 'GBP', '12345004', { customerId: customer.id })
    const quote = await createQuote(api, quoteBody(bank, payee, 40_000))
    transactionId = quote.transactionId
    await execute(api, quote.id)
    await at.server.settle()
    const to = await createPayee(api, 'USD', '000987654891', { customerId: customer.id })
    const body = { source: { accountId: payments.usd.id }, destination: { accountId: to.id }, amount: 30_000 }
    await must(api.POST('/transfer-out', { body: body as never }))
    await at.server.settle()
    await at.server.advance(platform, 601_000)
    const { data } = await must(api.GET('/receivables'))
    expect(data).toMatchObject([{ status: 'OPEN', remainingAmount: { amount: 30_000 } }])
    id = data[0]!.id
  }, 60_000)

  /** A collection from the same bank pays for a payout that is delivered, and comes back. */
  async function payAndReturn(minor: number) {
    const { api, platform, customer } = payments
    const payee = await createPayee(api, 'GBP', '12345678', { customerId: customer.id })
    const quote = await createQuote(api, quoteBody(bank, payee, minor))
    await execute(api, quote.id)
    await at.server.settle()
    await at.server.advance(platform, 601_000)
  }

  const pageOf = () => `receivables/${encodeURIComponent(id)}`
  const fact = (page: Page, name: string) =>
    page.locator('.facts > div, .facts').locator(`dt:text-is("${name}") + dd`).first()

  it('are listed with owner, cause and age, found from elsewhere, and each says what is left and why', async () => {
    const page = await at.openAs(payments.platform, 'receivables')
    const row = page.getByRole('region', { name: 'Receivables' }).getByRole('row').nth(1)
    for (const text of ['300.00 USD', 'Returned collection', 'Open', /\d+ (s|min)/])
      await row.getByText(text).first().waitFor()
    await expectAccessible(page, 'receivables')
    await shoot(page, 'receivables')
    await row.click()
    await page.getByRole('heading', { level: 1, name: 'Receivable · 300.00 USD left to pay' }).waitFor()
    for (const [name, value] of [
      ['Transaction', transactionId],
      ['Owed at first', '300.00 USD'],
      ['Paid since', '0.00 USD'],
      ['Returned to the bank', '400.00 USD'],
      ['Taken back from the account', '100.00 USD'],
      ['Not covered, so owed', '300.00 USD'],
      ['Available', '0.00 USD'],
    ] as const)
      await expect.poll(() => fact(page, name).innerText(), { message: name }).toContain(value)
    await page
      .getByRole('region', { name: 'Events of the receivable' })
      .getByText('RECEIVABLE.CREATED')
      .waitFor()
    await page
      .getByRole('region', { name: 'Postings of what the owner owes' })
      .getByText('Taken back', { exact: true })
      .last()
      .waitFor()
    await expectAccessible(page, 'a receivable')
    await shoot(page, 'receivable')

    // The customer, the account and the search lead to it.
    const [, base] = /^(.*)\/receivables\//.exec(new URL(page.url()).pathname)!
    await goTo(page, `${base}/customers/${encodeURIComponent(payments.customer.id)}`)
    await page
      .getByRole('region', { name: 'Receivables of the customer' })
      .getByText('300.00 USD')
      .first()
      .waitFor()
    await goTo(page, `${base}/accounts/${encodeURIComponent(payments.usd.id)}`)
    await page.getByRole('link', { name: '300.00 USD', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: 'Receivables' }).waitFor()
    await page.getByRole('button', { name: /^Status: OPEN/ }).waitFor()
    await page.keyboard.press('Control+k')
    await page.keyboard.type(id)
    const found = page.getByRole('group', { name: 'Receivables' }).getByRole('option')
    await found.getByText('300.00 USD').waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: /^Receivable · / }).waitFor()
  })

  it('are collected by a second press, and a refusal says what to do', async () => {
    const page = await at.openAs(payments.platform, 'receivables', phone)
    await page.getByRole('region', { name: 'Receivables' }).getByText('300.00 USD').first().waitFor()
    await expectAccessible(page, 'receivables on a phone')
    await page.getByRole('region', { name: 'Receivables' }).getByRole('link').first().click()
    const collect = async () => {
      await page.getByRole('button', { name: 'Collect now' }).click()
      await page.getByRole('button', { name: 'Collect up to 300.00 USD' }).click()
    }
    const refusal = page.locator('.trouble')
    await collect()
    await refusal.getByText('INSUFFICIENT_BALANCE').waitFor()
    await expectNoSidewaysScroll(page, 'a receivable that was refused')
    await expectAccessible(page, 'a receivable that was refused')
    await shoot(page, 'receivable-refused-phone')
    await operate(at.server, 'POST', `/internal-accounts/${payments.usd.id}/freeze`)
    await collect()
    await refusal.getByText('The account is not active. Its status is FROZEN.').waitFor()
    await operate(at.server, 'POST', `/internal-accounts/${payments.usd.id}/release`)
    at.respond(({ path }) => {
      if (!path.endsWith('/collect')) return undefined
      const message = conflictReasons.HOLDER_MUST_SIGN
      const details = { reason: 'HOLDER_MUST_SIGN' }
      return { status: 409, json: { code: 'CONFLICT', status: 409, message, details } }
    })
    await collect()
    await refusal.getByText('because only its holder can sign').waitFor()
    at.respond(() => undefined)
    await fund(payments.api, payments.usd.id, 12_000)
    await collect()
    await page.getByRole('heading', { level: 1, name: 'Receivable · 180.00 USD left to pay' }).waitFor()
    await expect.poll(() => fact(page, 'Paid since').innerText()).toBe('120.00 USD')
    const postings = page.getByRole('region', { name: 'Postings of what the owner owes' })
    await postings.getByText('Collection', { exact: true }).waitFor()
  })

  it('have no action for a credential that may only view', async () => {
    const body = { name: 'Viewer', permissions: ['VIEW'] }
    const viewer = (await must(payments.api.POST('/tokens', { body: body as never }))) as never
    const page = await at.openAs(viewer, pageOf())
    await page.getByRole('heading', { level: 1, name: /^Receivable · / }).waitFor()
    await fact(page, 'Available').waitFor()
    expect(await page.getByRole('button', { name: 'Collect now' }).count()).toBe(0)
  })

  const hire = async (name: string): Promise<string> => {
    const ask = async (path: string, body: object) => {
      const headers = { ...json, authorization: `Bearer ${operatorKey}` }
      const init = { method: 'POST', headers, body: JSON.stringify(body) }
      return (await at.server.fetch(`http://corridor.test/operator/${path}`, init)).json()
    }
    const { joinCode } = await ask('operators', { name, role: 'OPERATOR' })
    return (await ask('join', { joinCode })).key
  }

  it('are collected by two operators, each of whom sees the amount', async () => {
    const [first, second] = [await hire('Dora'), await hire('Emil')]
    await fund(payments.api, payments.usd.id, 50_000)
    const { platformId } = payments.platform
    const page = await at.openAsOperator(`/operator/receivables?book=${platformId}+SANDBOX`, { key: first })
    const list = page.getByRole('region', { name: 'Receivables' })
    await list.getByText('180.00 USD').first().waitFor()
    await expectAccessible(page, 'the receivables of a platform, for operators')
    await shoot(page, 'operator-receivables')
    await list.getByRole('row').nth(1).click()
    const acts = page.locator('section').filter({ hasText: 'What operators can do' })
    await acts.getByLabel('Reason, stored with the decision').fill('They paid by phone')
    await acts.getByRole('button', { name: 'Collect now' }).click()
    await acts.getByRole('button', { name: 'Collect up to 180.00 USD' }).click()
    await acts.getByText('Proposed. Another operator has to approve it').waitFor()
    expect(await page.getByRole('button', { name: 'Collect now' }).count()).toBe(1)

    const other = await at.openAsOperator('/operator/staff', { key: second })
    const proposal = other.getByRole('listitem').filter({ hasText: 'They paid by phone' })
    await proposal.getByText(`Collect a receivable: 180.00 USD, ${id}`).waitFor()
    await proposal.getByRole('button', { name: 'Approve', exact: true }).click()
    await proposal.getByRole('button', { name: /^Approve: Collect a receivable: 180.00 USD/ }).click()
    await other.getByText('Done.').first().waitFor()
    await page.reload()
    await page.getByRole('heading', { level: 1, name: 'Receivable · 300.00 USD paid' }).waitFor()
    expect(await page.getByRole('button', { name: 'Collect now' }).count()).toBe(0)
  })

  it('are written off by two operators, and the page says how much was lost', async () => {
    const page = await at.openAs(payments.platform, 'receivables')
    await payAndReturn(5_000)
    const [first, second] = [await hire('Fritz'), await hire('Gerd')]
    const { data } = await must(payments.api.GET('/receivables', { params: { query: { status: ['OPEN'] } } }))
    expect(data).toMatchObject([{ remainingAmount: { amount: 5_000 } }])
    const open = data[0]!.id
    const { platformId } = payments.platform
    const desk = await at.openAsOperator(`/operator/receivables?book=${platformId}+SANDBOX`, { key: first })
    const list = desk.getByRole('region', { name: 'Receivables' })
    await list.getByRole('row').filter({ hasText: 'Open' }).nth(1).click()
    const acts = desk.locator('section').filter({ hasText: 'What operators can do' })
    const writeOff = acts.getByRole('button', { name: 'Write off', exact: true })
    expect(await writeOff.isEnabled()).toBe(false)
    await acts.getByLabel('Reason, stored with the decision').fill('The customer has died')
    await writeOff.click()
    await acts.getByRole('button', { name: /^Write off 50.00 USD/ }).click()
    await acts.getByText('Proposed. Another operator has to approve it').waitFor()
    await expectAccessible(desk, 'a receivable whose write-off is proposed')

    const other = await at.openAsOperator('/operator/staff', { key: second })
    const proposal = other.getByRole('listitem').filter({ hasText: 'The customer has died' })
    await proposal.getByText(`Write off a receivable: 50.00 USD, ${open}`).waitFor()
    await proposal.getByRole('button', { name: 'Approve', exact: true }).click()
    await proposal.getByRole('button', { name: /^Approve: Write off a receivable: 50.00 USD/ }).click()
    await other.getByText('Done.').first().waitFor()

    await page.goto(page.url().replace(/receivables.*/, `receivables/${encodeURIComponent(open)}`))
    await page.getByRole('heading', { level: 1, name: 'Receivable · 50.00 USD written off' }).waitFor()
    expect(await fact(page, 'Written off').innerText()).toBe('50.00 USD')
    expect(await fact(page, 'Left to pay').innerText()).toBe('0.00 USD')
    expect(await fact(page, 'Paid since').innerText()).toBe('0.00 USD')
    await page
      .getByRole('region', { name: 'Postings of what the owner owes' })
      .getByText('Write-off')
      .waitFor()
    expect(await page.getByRole('button', { name: 'Collect now' }).count()).toBe(0)
    await shoot(page, 'receivable-written-off')
  })
})
