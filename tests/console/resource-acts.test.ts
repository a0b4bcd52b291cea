import { createCustomer, internalAccountOf } from '@corridor/testkit/index.ts'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { phone } from '../browser/browser.ts'
import { agentApi, policyOf } from '../e2e/agent-api.ts'
import { cardApi } from '../e2e/card-api.ts'
import { describeConsole, expectAccessible, expectNoSidewaysScroll, goTo, shoot } from './opened-console.ts'

describeConsole('what can be done with cards, agents, stablecoins and invitations', (at) => {
  const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true }).click()
  const baseOf = (page: Page) => /^.*?\/console\/[^/]+\/sandbox/.exec(new URL(page.url()).pathname)![0]

  describe('cards', () => {
    it('are issued to somebody where there are none, whatever the platform asks of people', async () => {
      const page = await at.openAs(await at.server.platform({ isRegulated: false }), 'cards')
      await page.getByText('No cards have been issued yet.').waitFor()
      await press(page, 'Issue a card')
      await page.waitForURL(/\/cards\/Card/)
      await page.getByText('Processing', { exact: true }).first().waitFor()
      await at.server.settle()
      await page.reload()
      await page.getByText('Active', { exact: true }).first().waitFor()
      await page.getByText('500.00 USD').waitFor()
      await goTo(page, `${baseOf(page)}/cards`)
      await page.getByRole('row').nth(1).getByText('Active').waitFor()
    }, 120_000)

    it('have a limit that can be set and taken away, are frozen and closed', async () => {
      const { platform, activeCard, call } = await cardApi(at.server)
      const card = await activeCard()
      const page = await at.openAs(platform, `cards/${encodeURIComponent(card.id)}`)
      const limit = async () => (await call('GET', `/cards/${card.id}`)).body.maxSpendPerTransaction
      await page.getByLabel('Maximum per payment, in USD').fill('10.005')
      await press(page, 'Set the limit')
      await page.getByRole('alert').getByText('not an amount with at most 2 decimals').waitFor()
      await page.getByLabel('Maximum per payment, in USD').fill('10.00')
      await press(page, 'Set the limit')
      await page.getByText('10.00 USD', { exact: true }).waitFor()
      expect(await limit()).toBe(1_000)
      // 12.50 are more than it, so nothing is left of it.
      await press(page, 'Authorize')
      await page.getByText('It left no payment: it was declined.').waitFor()
      await press(page, 'Take it away')
      await page.getByRole('button', { name: 'Take it away' }).waitFor({ state: 'detached' })
      expect(await limit()).toBe(null)
      await press(page, 'Freeze')
      await page.getByText('Frozen', { exact: true }).first().waitFor()
      await press(page, 'Unfreeze')
      // What asks there is another button than the one of a frozen card.
      await page.getByRole('button', { name: 'Freeze', exact: true }).waitFor()
      await press(page, 'Close')
      // Where the button that asks has come under the finger, the second half of a double press is no answer.
      const confirm = page.getByRole('button', { name: /^Close .* …\d{4} for good$/ })
      await confirm.dispatchEvent('click', { detail: 2 })
      await confirm.waitFor()
      expect((await call('GET', `/cards/${card.id}`)).body.state).toBe('ACTIVE')
      await press(page, /^Close .* …\d{4} for good$/)
      await page.getByText('Closed by platform').waitFor()
      expect(await page.getByRole('button', { name: 'Freeze' }).count()).toBe(0)
    }, 120_000)

    it('are played by each of the ten messages of the network, and show what became of each payment', async () => {
      const { platform, activeCard } = await cardApi(at.server)
      const card = await activeCard()
      const page = await at.openAs(platform, `cards/${encodeURIComponent(card.id)}`)
      const told = page.getByRole('status')
      const list = page.getByRole('region', { name: 'Payments of the card' })
      const played = async (name: string) => {
        await press(page, name)
        await told.getByText(`${name}: the network received the response.`).waitFor()
      }
      await page.getByText('No payments with this card yet.').waitFor()
      await played('Authorize')
      await list.getByText('Authorized', { exact: true }).last().waitFor()
      await page.getByRole('img', { name: 'States of a card transaction, now Authorized' }).waitFor()
      await page.getByLabel('Amount in USD, as 12.50').fill('20.00')
      await played('Change the amount')
      await list.getByText('20.00 USD').waitFor()
      await played('Clear')
      await list.getByText('Settled', { exact: true }).waitFor()
      await played('Return')
      await list.getByText('Refunded', { exact: true }).waitFor()
      await played('Reverse the return')
      await list.getByText('Settled', { exact: true }).waitFor()
      for (const name of [
        'Authorize and clear in one',
        'Ask to credit',
        'Send a credit advice',
        'Credit in one',
        'Ask for the balance',
      ]) {
        await played(name)
      }
      await page.getByLabel('Outcome, by the ending').selectOption('002')
      await played('Authorize')
      await page.getByText('It left no payment: it was declined.').waitFor()
      await shoot(page, 'card-played')
      await expectAccessible(page, 'a card')
    }, 120_000)
  })

  describe('agents', () => {
    it('are made for somebody, with their limits and a code that connects them', async () => {
      const platform = await at.server.platform()
      const page = await at.openAs(platform, 'agents')
      await page.getByText('No agents yet.').waitFor()
      await press(page, 'Create one for a customer')
      await page.waitForURL(/\/agents\/Agent/)
      await page.getByText('0.00 USD used of 5,000.00 USD').waitFor()
      await page.getByText('100.00 USD on', { exact: true }).waitFor()
      await page.getByText('no limit', { exact: false }).first().waitFor()
      await press(page, 'Make a code')
      const code = (await page.getByRole('status').locator('code').textContent())!
      const address = `${at.server.baseUrl}/agents/device-codes/${code}/redeem`
      expect((await at.server.fetch(address, { method: 'POST' })).status).toBe(200)
      await page.reload()
      await page.getByText('A program is connected.').waitFor()
      await shoot(page, 'agent')
      await expectAccessible(page, 'an agent')
      await press(page, 'Pause')
      await page.getByText('Paused', { exact: true }).waitFor()
      await press(page, 'Delete')
      await press(page, /^Delete .+ for good$/)
      await page.getByText('No agents yet.').waitFor()
    }, 120_000)

    it('wait for what they asked, which says how much goes where, until it is approved or rejected', async () => {
      const { platform, connect, transferOut, quoteOf, bank } = await agentApi(at.server)
      const agent = await connect(policyOf({ defaultExecutionMode: 'APPROVAL_REQUIRED' }))
      const first = await agent.call('POST', '/transfer-out', transferOut(12_345))
      const quote = await agent.call('POST', '/quotes', quoteOf(5_000))
      const second = await agent.call('POST', `/quotes/${quote.body.id}/execute`)
      expect([first.body.status, second.body.status]).toEqual(['PENDING_APPROVAL', 'PENDING_APPROVAL'])
      const page = await at.openAs(platform, 'agents')
      const transfer = page.getByRole('listitem').filter({ hasText: '123.45 USD' })
      await transfer
        .getByText(/^Pay 123\.45 USD out of InternalAccount …\w{6} to ExternalAccount …/)
        .waitFor()
      await transfer.getByRole('link', { name: `ExternalAccount …${bank.id.slice(-6)}` }).waitFor()
      const paying = page.getByRole('listitem').filter({ hasText: '50.00 USD to deliver' })
      await paying.getByText(/Pay 50\.00 USD to deliver [\d,.]+ MXN/).waitFor()
      await shoot(page, 'approvals')
      await expectAccessible(page, 'approvals')
      await transfer.getByRole('button', { name: 'Approve' }).click()
      await transfer.waitFor({ state: 'detached' })
      await goTo(page, `${baseOf(page)}/agents/${encodeURIComponent(agent.id)}`)
      await page.getByRole('img', { name: /^States of an? agent action, now Pending approval$/ }).waitFor()
      await page
        .getByText(/used, no limit/)
        .first()
        .waitFor()
      await paying.getByLabel('Reason, shown to the agent').fill('Not this month')
      await paying.getByRole('button', { name: 'Reject' }).click()
      await paying.getByRole('button', { name: 'Reject 50.00 USD of agent Robot for good' }).click()
      await page.getByText('Nothing waits.').waitFor()
      const actions: { status: string; rejectionReason?: string }[] = (await agent.call('GET', '/actions'))
        .body.data
      const saidOf = ({ status, rejectionReason }: (typeof actions)[number]) => [status, rejectionReason]
      expect(actions.map(saidOf).sort()).toEqual([
        ['APPROVED', undefined],
        ['REJECTED', 'Not this month'],
      ])
    }, 120_000)
  })

  it('stablecoins are registered, minted once the funds have come, and burned', async () => {
    const platform = await at.server.platform()
    const page = await at.openAs(platform, 'stablecoins')
    await page.getByText('No stablecoins are registered.').waitFor()
    await page.getByLabel('Client id at Brale').fill('client_1')
    await page.getByLabel('Its secret').fill('a-secret')
    // The secret goes with the answer, however long it takes until the list is read anew.
    let readAnew = () => {}
    const held = new Promise<void>((resolve) => {
      readAnew = resolve
    })
    await page.route('**/stablecoin-provider-accounts*', async (route) => {
      if (route.request().method() === 'GET') await held
      await route.fallback()
    })
    await press(page, 'Link the account')
    await expect.poll(() => page.getByLabel('Its secret').inputValue()).toBe('')
    expect(await page.getByRole('row').filter({ hasText: 'client_1' }).count()).toBe(0)
    readAnew()
    await page.getByRole('row').filter({ hasText: 'client_1' }).getByText('Active').waitFor()
    await page.getByLabel('Its identifier at the provider').fill('ACME')
    await page.getByLabel('Its identifier on Spark').fill('BTKN1')
    await press(page, 'Register it')
    await page.getByRole('alert').getByText('networkTokenIdentifier', { exact: true }).waitFor()
    await page.getByLabel('Its identifier on Spark').fill('btkn1qw508d6qejxtdg4y5r3zarvary0c5xw7k')
    await press(page, 'Register it')
    await page.waitForURL(/\/stablecoins\/Stablecoin/)
    await at.server.settle()
    await page.reload()
    await page.getByRole('img', { name: 'States of a stablecoin issuance, now Provisioned' }).waitFor()
    await press(page, 'Request that it becomes a currency here')
    await page.getByRole('img', { name: 'States of a stablecoin enablement, now Pending approval' }).waitFor()
    await press(page, 'Register a wallet')
    await page.getByRole('combobox', { name: 'Wallet that receives them' }).waitFor()
    await press(page, 'Register a bank account')
    await page.getByRole('combobox', { name: 'Bank account that receives the dollars' }).waitFor()
    await expectAccessible(page, 'a stablecoin')
    const amount = (index: number) => page.getByLabel('Amount in ACME').nth(index)
    await amount(0).fill('1,000.1234567')
    await press(page, 'Mint')
    await page.getByRole('alert').getByText('not an amount with at most 6 decimals').waitFor()
    await amount(0).fill('1,000.50')
    await press(page, 'Mint')
    await page.waitForURL(/\/stablecoin-operations\//)
    await page.getByText('1,000.500000 ACME').waitFor()
    await page.getByText('Sandbox Trust Bank').first().waitFor()
    // In words, not by the names that the API has for them.
    await page.getByText('Beneficiary name', { exact: true }).waitFor()
    await shoot(page, 'mint')
    await press(page, 'Let the funds arrive')
    await page.getByRole('button', { name: 'Let the funds arrive' }).waitFor({ state: 'detached' })
    await at.server.pass(2_000)
    await page.reload()
    await page.getByRole('img', { name: 'States of a stablecoin operation, now Completed' }).waitFor()
    await page.getByRole('link', { name: /^Stablecoin:/ }).click()
    await page.getByRole('row').filter({ hasText: '1,000.500000 ACME' }).getByText('Completed').waitFor()
    await amount(1).fill('0.50')
    await press(page, 'Burn')
    await page.waitForURL(/\/stablecoin-operations\//)
    await page.getByText('0.500000 ACME').waitFor()
    await expectAccessible(page, 'a burn')
  }, 120_000)

  it('a sample of a stablecoin is registered where there is none', async () => {
    const page = await at.openAs(await at.server.platform(), 'stablecoins', phone)
    await press(page, 'Register a sample')
    await page.waitForURL(/\/stablecoins\/Stablecoin/)
    await page.getByText('At the provider', { exact: true }).waitFor()
    await expectNoSidewaysScroll(page, 'a stablecoin on a phone')
  }, 120_000)

  it('invitations are made, opened by their code, claimed and cancelled', async () => {
    const platform = await at.server.platform()
    const api = at.server.client(platform)
    await createCustomer(api, { fullName: 'Ana Lopez', currencies: ['USD'] })
    const rosa = await createCustomer(api, { fullName: 'Rosa Diaz', currencies: ['USD'] })
    const page = await at.openAs(platform, 'network')
    const choice = (name: string) => page.getByRole('combobox', { name })
    await choice('Customer who invites').selectOption({ index: 1 })
    const inviter = await choice('Customer who invites').inputValue()
    await page.getByLabel('First name of the invited person').fill('Alice')
    await press(page, 'Invite')
    await page.getByRole('heading', { level: 1, name: `Invitation by ${inviter}` }).waitFor()
    await page.getByText('Alice', { exact: true }).waitFor()
    const code = new URL(page.url()).pathname.split('/').at(-1)!
    await goTo(page, `${baseOf(page)}/network`)
    await page.getByLabel('Invitation code').fill(code)
    await press(page, 'Open it')
    const invitee = choice('UMA address of the customer who was invited')
    await invitee.waitFor()
    const other = inviter === rosa.umaAddress ? { index: 0 } : rosa.umaAddress!
    await invitee.selectOption(other)
    await expectAccessible(page, 'an invitation')
    await press(page, 'Claim')
    await page.getByRole('img', { name: /^States of an? invitation, now Claimed$/ }).waitFor()
    expect(await page.getByRole('button', { name: 'Cancel' }).count()).toBe(0)
    await goTo(page, `${baseOf(page)}/network`)
    await choice('Customer who invites').waitFor()
    await press(page, 'Invite')
    await page.getByRole('button', { name: 'Cancel', exact: true }).waitFor()
    // To look at and to claim; taking it back is for whoever made it.
    const elsewhere = await at.server.platform()
    await createCustomer(at.server.client(elsewhere), { fullName: 'Eva Roth', currencies: ['USD'] })
    const foreign = await at.openAs(
      elsewhere,
      `invitations/${new URL(page.url()).pathname.split('/').at(-1)!}`,
    )
    const asked = foreign.waitForResponse((response) => response.url().includes('umaAddress='))
    await foreign.reload()
    expect((await asked).status()).toBe(200)
    await foreign.getByRole('button', { name: 'Claim', exact: true }).waitFor()
    expect(await foreign.getByRole('button', { name: 'Cancel', exact: true }).count()).toBe(0)
    await press(page, 'Cancel')
    await press(page, /^Cancel the invitation by \$.+ for good$/)
    await page.getByRole('img', { name: /^States of an? invitation, now Cancelled$/ }).waitFor()
  }, 120_000)

  it('a wallet lists who may sign for it', async () => {
    const platform = await at.server.platform()
    const api = at.server.client(platform)
    const customer = await createCustomer(api, { currencies: ['USD', 'USDB'], email: 'ana@example.com' })
    const wallet = await internalAccountOf(api, customer.id, 'USDB')
    const page = await at.openAs(platform, `accounts/${encodeURIComponent(wallet.id)}`)
    const list = page.getByRole('region', { name: 'Credentials of the wallet' })
    await list.getByText('ana@example.com').waitFor()
    await page.getByRole('img', { name: 'States of a wallet credential, now Active' }).waitFor()
    await list.getByRole('button', { name: 'Send a code' }).click()
    await expect
      .poll(async () => (await api.GET('/sandbox/inbox', {} as never)).data, { timeout: 30_000 })
      .toMatchObject({ data: [{ to: 'ana@example.com', purpose: 'WALLET_SIGN_IN' }] })
    await page.getByText('The wallet has no sessions.').waitFor()
    await page.getByText('The wallet has no delegated keys.').waitFor()
    await shoot(page, 'wallet')
    await expectAccessible(page, 'a wallet')
  }, 120_000)
})
