import { must } from '@corridor/testkit/index.ts'
import { expect, it } from 'vitest'
import { faults } from '../../apps/console/src/generated/faults.ts'
import { desktop, phone } from '../browser/browser.ts'
import { describeConsole, expectAccessible, expectNoSidewaysScroll, goTo, shoot } from './opened-console.ts'

describeConsole('the page of what fails on purpose', (at) => {
  it('makes something fail with the fields of its kind, shows what it hit, and ends it', async () => {
    const platform = await at.server.platform()
    const api = at.server.client(platform)
    const page = await at.openAs(platform, 'sandbox/faults')
    await page.getByText('No faults.').waitFor()
    expect(await page.getByLabel('Milliseconds').count()).toBe(0)
    await page.getByLabel('In what way').selectOption('ERROR')
    await page.getByText('the request has no effect, and the response is an error with').waitFor()
    await page.getByLabel('Response status').fill('503')
    await page.getByLabel('Only this operation').fill('getPlatformConfigs')
    await page.getByRole('button', { name: 'Let it fail' }).click()
    // All that is wrong is said beside the button, and nothing is made.
    await page.getByRole('alert').getByText('match.operationId', { exact: true }).waitFor()
    await page.getByLabel('Only this operation').fill('getCustomerById')
    for (const [label, name] of [
      ['Number of hits', 'times'],
      ['Probability', 'probability'],
      ['Matches to skip first', 'after'],
    ] as const) {
      await page.getByLabel(label).fill('1,5')
      await page.getByRole('button', { name: 'Let it fail' }).click()
      await page.getByRole('alert').getByText(name, { exact: true }).waitFor()
      await page.getByLabel(label).fill('')
    }
    await page.getByLabel('Probability').fill('1.0')
    await page.getByLabel('Number of hits').fill('2')
    await page.getByRole('button', { name: 'Let it fail' }).click()
    const row = page.getByRole('row').filter({ hasText: 'operationId getCustomerById' })
    await row.getByText('2 left').waitFor()
    await expectAccessible(page, 'faults')
    await shoot(page, 'faults')

    const failed = await api.GET('/customers/{customerId}', {
      params: { path: { customerId: 'Customer:00000000-0000-0000-0000-000000000000' } },
    } as never)
    expect(failed.response.status).toBe(503)
    await page.reload()
    await row.getByText('1 left').waitFor()
    await row.getByRole('link').first().click()
    await page.getByRole('heading', { name: 'ERROR · The API' }).waitFor()
    await page.getByText('1 of 1').waitFor()
    await page.getByRole('row').filter({ hasText: 'getCustomerById' }).waitFor()
    await expectAccessible(page, 'a fault')
    await page.getByRole('button', { name: 'End ERROR' }).click()
    await page.getByText('No faults.').waitFor()
  })

  it('offers to end no fault that is over: that has hit as often as it may, or whose time is up', async () => {
    const platform = await at.server.platform()
    const api = at.server.client(platform)
    const { now } = (await must(api.GET('/sandbox/clock'))) as { now: string }
    const until = new Date(Date.parse(now) + 60_000).toISOString()
    const make = (body: object) =>
      must(api.POST('/sandbox/faults', { body } as never)) as Promise<{ id: string }>
    const match = { operationId: 'getCustomerById' }
    const spent = await make({ kind: 'ERROR', target: 'API', params: { status: 503 }, match, times: 1 })
    await make({ kind: 'OUTAGE', target: 'RAIL', until })
    await make({ kind: 'DUPLICATE', target: 'WEBHOOK', params: { copies: 2 } })
    const customerId = 'Customer:00000000-0000-0000-0000-000000000000'
    const met = await api.GET('/customers/{customerId}', { params: { path: { customerId } } } as never)
    expect(met.response.status).toBe(503)
    await at.server.advance(platform, 120_000)

    const page = await at.openAs(platform, 'sandbox/faults')
    const stops = page.getByRole('button', { name: /^End [A-Z]/ })
    await page.getByRole('button', { name: 'End DUPLICATE' }).waitFor()
    await expect.poll(() => stops.count()).toBe(1)
    expect(await page.getByRole('cell', { name: 'nothing', exact: true }).count()).toBe(2)
    await shoot(page, 'faults-over')
    await page.setViewportSize(phone)
    await page.getByText('nothing', { exact: true }).first().waitFor()
    await expectNoSidewaysScroll(page, 'faults that are over on a phone')
    await page.setViewportSize(desktop)
    await goTo(page, page.url().replace('sandbox/faults', 'sandbox'))
    await page.getByRole('button', { name: 'End DUPLICATE' }).waitFor()
    await expect.poll(() => stops.count()).toBe(1)
    await goTo(page, page.url().replace(/sandbox$/, `sandbox/faults/${encodeURIComponent(spent.id)}`))
    await page.getByText('1 of 1').waitFor()
    await page
      .getByRole('term')
      .filter({ hasText: 'Left' })
      .locator('xpath=following-sibling::dd[1]')
      .getByText('nothing', { exact: true })
      .waitFor()
    expect(await page.getByRole('button', { name: 'End ERROR' }).count()).toBe(0)
  })

  it('has a field for what each kind needs, and fits a phone', async () => {
    const page = await at.openAs(await at.server.platform(), 'sandbox/faults', phone)
    for (const [target, kind, field] of [
      ['API', 'LATENCY', 'Milliseconds'],
      ['RAIL', 'OUTCOME', 'Outcome of the payment'],
      ['WEBHOOK', 'DUPLICATE', 'How many copies'],
      ['RATES', 'RATE_SHOCK', 'Hundredths of a percent'],
    ] as const) {
      await page.getByLabel('Which part').selectOption(target)
      await page.getByLabel('In what way').selectOption(kind)
      await page.getByLabel(field).waitFor()
    }
    await expectNoSidewaysScroll(page, 'faults on a phone')
    await expectAccessible(page, 'faults on a phone')
    await page.getByLabel('Hundredths of a percent').fill('100')
    await page.getByRole('button', { name: 'Let it fail' }).click()
    await page.getByRole('row').filter({ hasText: 'RATE_SHOCK' }).waitFor()
    await page.getByRole('button', { name: 'End all' }).click()
    await page.getByRole('button', { name: 'Yes, delete all faults' }).click()
    await page.getByText('No faults.').waitFor()
  })

  it('calls each part, and each field of each kind, by words of its own', async () => {
    const page = await at.openAs(await at.server.platform(), 'sandbox/faults')
    const unnamed: string[] = []
    for (const [target, { kinds }] of Object.entries(faults)) {
      const part = page.getByLabel('Which part')
      await part.selectOption(target)
      const called = await part.locator('option:checked').innerText()
      if (called === target && target !== 'UMA') unnamed.push(target)
      for (const [kind, { must, may }] of Object.entries(kinds)) {
        await page.getByLabel('In what way').selectOption(kind)
        for (const name of [...must, ...may]) {
          const label = await page.locator(`label:has([name="${name}"]) > span`).first().innerText()
          if (label === name) unnamed.push(`${target} ${kind} ${name}`)
        }
      }
    }
    expect(unnamed).toEqual([])
  })
})
