import { accountTypes } from '../../../packages/engine/src/reference/account-types/index.ts'
import { bodyOf, payees, platformOn, quoteOf, type Stage } from './stage.ts'

const evmWallet = { accountType: 'ETHEREUM_WALLET' }

export async function externalAccounts(stage: Stage) {
  const { call, attempt, customer, recorder } = await platformOn(stage)
  const { id: customerId } = await customer()
  const account = await call('POST', '/customers/external-accounts', { customerId, ...payees.german })
  await call('GET', '/customers/external-accounts?limit=2')
  await call('GET', `/customers/external-accounts/${account.id}`)
  await call('DELETE', `/customers/external-accounts/${account.id}`)
  const own = await call('POST', '/platform/external-accounts', payees.own)
  await call('GET', '/platform/external-accounts?limit=2')
  await call('GET', `/platform/external-accounts/${own.id}`)
  await call('DELETE', `/platform/external-accounts/${own.id}`)
  await call('GET', '/vasps?limit=2')
  await call('GET', '/discoveries?country=NG&currency=NGN')
  for (const side of ['customers', 'platform']) await ownership(stage, side)
  for (const { name, currencies, example } of accountTypes) {
    const body = { customerId, currency: currencies[0], accountInfo: example }
    await recorder.as(name, () => attempt('POST', '/customers/external-accounts', body))
  }
}

/** A wallet that proves whose it is by a signature. */
async function ownership(stage: Stage, side: string) {
  const { privateKeyToAccount } = await import('viem/accounts')
  const { call, customer } = await platformOn(stage, { settings: { counterpartyRules: true } })
  const { id: customerId } = await customer()
  const wallet = privateKeyToAccount(`0x${'09'.repeat(32)}`)
  const { id } = await call('POST', `/${side}/external-accounts`, {
    ...(side === 'customers' ? { customerId } : {}),
    currency: 'USDC',
    ownershipType: 'FIRST_PARTY',
    accountInfo: { ...evmWallet, address: wallet.address },
  })
  const path = `/${side}/external-accounts/${id}`
  const { messageToSign } = await call('POST', `${path}/challenge`, { method: 'WALLET_SIGNATURE' })
  await call('POST', `${path}/verify`, { signature: await wallet.signMessage({ message: messageToSign }) })
}

export async function quotes(stage: Stage) {
  const { call, attempt, customer, account, settle } = await platformOn(stage)
  const { id: customerId } = await customer()
  const usd = await account(customerId, 'USD', 100_000)
  const payee = await call('POST', '/customers/external-accounts', { customerId, ...payees.german })
  await call('GET', '/exchange-rates?sourceCurrency=USD&destinationCurrency=EUR&sendingAmount=10000')
  await call('GET', `/receiver/external-account/${payee.id}?customerId=${customerId}`)
  const quote = await call('POST', '/quotes', quoteOf(usd, payee, 10_000, { description: 'Invoice 1234' }))
  await call('GET', `/quotes/${quote.id}`)
  await call('GET', '/quotes')
  await call('GET', '/sandbox/clock/upcoming')
  await call('POST', `/quotes/${quote.id}/execute`, undefined, { 'idempotency-key': 'invoice-1234' })
  await attempt('POST', `/quotes/${quote.id}/execute`)
  await call('POST', `/transactions/${quote.transactionId}/confirm`, {})
  const { id, transactionId } = await call('POST', '/quotes', quoteOf(usd, payee, 5_000))
  await call('POST', `/quotes/${id}/execute`)
  await call('POST', `/transactions/${transactionId}/cancel`, { reason: 'The invoice was paid twice.' })
  await settle()
  await attempt('POST', `/transactions/${quote.transactionId}/cancel`, {
    reason: 'The invoice was paid twice.',
  })
  await call('GET', '/transactions?limit=2')
  await call('GET', `/transactions/${quote.transactionId}`)
  await call('GET', `/explain/${quote.transactionId}`)
  await call('GET', `/search?q=${quote.transactionId}`)
  await attempt('GET', '/explain/Quote:00000000-0000-7000-8000-000000000000')
  const ledger = await call('GET', '/ledger/accounts?limit=2')
  await attempt('GET', '/ledger/accounts?currency=USD')
  await call('GET', `/ledger/accounts/${encodeURIComponent(ledger.data[0].id)}`)
  await attempt('GET', '/ledger/accounts/fx%3ANONE')
  const journals = await call('GET', `/ledger/journals?subjectId=${quote.transactionId}`)
  await call('GET', `/ledger/journals/${encodeURIComponent(journals.data[0].id)}`)
  await attempt('GET', '/ledger/journals/Transaction%3A00000000-0000-7000-8000-000000000000%2Fexecute')
  await call('GET', '/ledger/audit')
  await attempt('POST', '/quotes', quoteOf(usd, payee, 90_000_000, { immediatelyExecute: true }))
  const realtime = await call('POST', '/quotes', {
    ...quoteOf(usd, payee, 10_000),
    source: { sourceType: 'REALTIME_FUNDING', customerId, currency: 'USD' },
  })
  await call('POST', '/sandbox/send', { quoteId: realtime.id, currencyCode: 'USD' })
  const usdc = await account(customerId, 'USDC')
  await call('POST', '/crypto/estimate-withdrawal-fee', {
    ...bodyOf('estimateCryptoWithdrawalFee'),
    internalAccountId: usdc.id,
  })
}

export async function transfers(stage: Stage) {
  const { call, attempt, customer, account, settle } = await platformOn(stage)
  const { id: customerId } = await customer()
  const usd = await account(customerId, 'USD', 100_000)
  await settle()
  const bank = await call('POST', '/customers/external-accounts', { customerId, ...payees.own })
  const between = (source: string, destination: string, amount: number) => ({
    source: { accountId: source },
    destination: { accountId: destination },
    amount,
  })
  await call('POST', '/transfer-out', between(usd.id, bank.id, 12_550))
  await attempt('POST', '/transfer-out', between(usd.id, bank.id, 5_000_000))
  await call('POST', '/transfer-in', between(bank.id, usd.id, 12_550))
}

export async function internalAccounts(stage: Stage) {
  const { call, customer, account } = await platformOn(stage)
  const { id: customerId } = await customer()
  const usd = await account(customerId)
  await call('GET', `/customers/internal-accounts?customerId=${customerId}&limit=2`)
  await call('GET', '/platform/internal-accounts?currency=USD')
  await call('GET', `/internal-accounts/${usd.id}`)
  await call('POST', `/sandbox/internal-accounts/${usd.id}/fund`, { amount: 100_000 })
  const { reference } = usd.fundingPaymentInstructions[0].accountOrWalletInfo
  await call('POST', '/sandbox/inbound-payments', { reference, currency: 'USD', amount: 50_000 })
  await call('GET', '/sandbox/clock')
  await call('POST', '/sandbox/clock/advance', { seconds: 360 })
  await call('POST', '/sandbox/snapshots', { name: 'before-payday' })
  await call('GET', '/sandbox/snapshots')
  await call('POST', '/sandbox/snapshots/before-payday/restore')
  await call('POST', '/sandbox/worlds', { name: 'test-7', from: 'before-payday' })
  await call('GET', '/sandbox/worlds')
  await call('POST', '/sandbox/reset')
  await call('DELETE', '/sandbox/worlds/test-7')
  await call('DELETE', '/sandbox/snapshots/before-payday')
}

export async function uma(stage: Stage) {
  const { call, customer, settle } = await platformOn(stage)
  await call('PATCH', '/config', { webhookEndpoint: 'https://platform.example.com/webhooks' })
  const { id: customerId, umaAddress } = await customer({ umaAddress: '$ana@sandbox.uma.money' })
  await call('GET', '/uma-providers?limit=2')
  await call(
    'GET',
    `/receiver/uma/${encodeURIComponent('$success.eur@sandbox.uma.money')}?customerId=${customerId}`,
  )
  stage.answerWebhooks(({ type }) => new Response(null, { status: type.endsWith('PENDING') ? 202 : 200 }))
  const receive = () =>
    call('POST', '/sandbox/uma/receive', { ...bodyOf('sandboxReceive'), receiverUmaAddress: umaAddress })
  const approved = await receive()
  await settle()
  await call('POST', `/transactions/${approved.id}/approve`, { receiverCustomerInfo: { NATIONALITY: 'US' } })
  const rejected = await receive()
  await settle()
  await call('POST', `/transactions/${rejected.id}/reject`, { reason: 'RESTRICTED_JURISDICTION' })
  await settle()

  const invite = (more: object = {}) => call('POST', '/invitations', { inviterUma: umaAddress, ...more })
  const { code } = await invite({ firstName: 'Ana', amountToSend: 12_550 })
  await call('GET', `/invitations/${code}`)
  const other = await customer({ umaAddress: '$bob@sandbox.uma.money', platformCustomerId: 'user-4712' })
  await call('POST', `/invitations/${code}/claim`, { inviteeUma: other.umaAddress })
  const { code: unwanted } = await invite()
  await call('POST', `/invitations/${unwanted}/cancel`)
}

/** A bank takes back what has paid for a payout, and what is owed is collected. */
export async function receivables(stage: Stage) {
  const { call, attempt, customer, account, settle } = await platformOn(stage)
  const { id: customerId } = await customer()
  const bank = await call('POST', '/customers/external-accounts', { customerId, ...payees.own })
  const payee = await call('POST', '/customers/external-accounts', { customerId, ...payees.german })
  await call('POST', '/sandbox/faults', {
    kind: 'OUTCOME',
    target: 'RAIL',
    match: { accountId: bank.id },
    params: { outcome: '005', seconds: 600 },
  })
  const quote = await call('POST', '/quotes', quoteOf(bank, payee, 40_000))
  await call('POST', `/quotes/${quote.id}/execute`)
  await settle()
  await call('POST', '/sandbox/clock/advance', { seconds: 700 })
  const { data } = await call('GET', `/receivables?customerId=${customerId}`)
  await call('GET', `/receivables/${data[0].id}`)
  await attempt('POST', `/receivables/${data[0].id}/collect`)
  await account(customerId, 'USD', 15_000)
  await call('POST', `/receivables/${data[0].id}/collect`)
  await attempt('DELETE', `/customers/${customerId}`)
}
