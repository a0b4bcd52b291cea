import { createCustomer, createPayee } from '@corridor/testkit/index.ts'
import { expect, it } from 'vitest'
import { describeConsole, goTo } from './opened-console.ts'

describeConsole('a number that somebody is known by', (at) => {
  it('stays hidden on the page of one payee when that of another was shown', async () => {
    const platform = await at.server.platform()
    const api = at.server.client(platform)
    const customer = await createCustomer(api)
    const payeeWith = (taxId: string, pixKey: string) =>
      createPayee(api, 'BRL', pixKey, {
        customerId: customer.id,
        accountInfo: {
          accountType: 'BRL_ACCOUNT',
          pixKey,
          pixKeyType: 'EMAIL',
          taxId,
          beneficiary: { beneficiaryType: 'INDIVIDUAL', fullName: 'Lia Souza', birthDate: '1990-01-01' },
        },
      })
    const first = await payeeWith('52998224725', 'lia.789@mail.example')
    const second = await payeeWith('11144477735', 'lia.790@mail.example')
    const page = await at.openAs(platform, `external-accounts/${encodeURIComponent(first.id)}`)
    const show = page.getByRole('button', { name: 'Show taxId' })
    await show.waitFor()
    // What was read before is drawn at once, in the place of what stood there.
    await goTo(page, encodeURIComponent(second.id))
    await page.getByText('••••7735', { exact: true }).waitFor()
    await page.goBack()
    await page.getByText('••••4725', { exact: true }).waitFor()
    await show.click()
    await page.getByText('52998224725', { exact: true }).waitFor()
    await page.goForward()
    await page.getByText(second.id).first().waitFor()
    expect(await page.getByText('11144477735', { exact: true }).count()).toBe(0)
    expect(await show.getAttribute('aria-pressed')).toBe('false')
  })
})
