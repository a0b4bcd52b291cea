import { expect, it } from 'vitest'
import { faults } from '../../apps/console/src/generated/faults.ts'
import { phone } from '../browser/browser.ts'
import { describeConsole, expectAccessible, expectNoSidewaysScroll, shoot } from './opened-console.ts'

describeConsole('the page of what fails on purpose', (at) => {
  it('makes something fail with the fields of its kind, shows what it hit, and ends it', async () => {
    const platform = await at.server.platform()
    const api = at.server.client(platform)
    const page = await at.openAs(platform, 'sandbox/faults')
    await page.getByText('Nothing fails on purpose.').waitFor()
    expect(await page.getByLabel('Milliseconds').count()).toBe(0)
    await page.getByLabel('In what way').selectOption('ERROR')
    await page.getByText('nothing is done: an error with').waitFor()
    await page.getByLabel('Status of the answer').fill('503')
    await page.getByLabel('Only this operation').fill('getPlatformConfigs')
    await page.getByRole('button', { name: 'Let it fail' }).click()
    // All that is wrong is said beside the button, and nothing is made.
    await page.getByRole('alert').getByText('match.operationId', { exact: true }).waitFor()
    await page.getByLabel('Only this operation').fill('getCustomerById')
    await page.getByLabel('How often').fill('2')
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
    await page.getByRole('button', { name: 'End it' }).click()
    await page.getByText('Nothing fails on purpose.').waitFor()
  })

  it('has a field for what each kind needs, and fits a phone', async () => {
    const page = await at.openAs(await at.server.platform(), 'sandbox/faults', phone)
    for (const [target, kind, field] of [
      ['API', 'LATENCY', 'Milliseconds'],
      ['RAIL', 'OUTCOME', 'What becomes of the payment'],
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
    await page.getByRole('button', { name: 'Yes, end all' }).click()
    await page.getByText('Nothing fails on purpose.').waitFor()
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
