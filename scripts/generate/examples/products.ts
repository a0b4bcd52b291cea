import { bodyOf, payees, platformOn, type Stage } from './stage.ts'

export async function cards(stage: Stage) {
  const { call, attempt, customer, account, settle } = await platformOn(stage, { isRegulated: true })
  const { id: cardholderId } = await customer()
  const usd = await account(cardholderId, 'USD', 50_000)
  const issued = await call('POST', '/cards', {
    ...bodyOf('createCard'),
    cardholderId,
    fundingSources: [usd.id],
  })
  await settle()
  const path = `/cards/${issued.id}`
  await call('GET', path)
  await call('GET', '/cards?limit=2')
  await call('POST', `${path}/reveal`)
  const simulate = (what: string, body: object) => call('POST', `/sandbox${path}/simulate/${what}`, body)
  const purchase = bodyOf('sandboxSimulateCardAuthorization')
  await simulate('authorization', purchase)
  await settle()
  const { id: cardTransactionId } = (await call('GET', '/transactions?type=CARD')).data[0]
  await simulate('authorization_advice', { cardTransactionId, amount: 1_500 })
  await simulate('clearing', { cardTransactionId, amount: 1_500 })
  await settle()
  await simulate('return', { cardTransactionId, amount: 1_500 })
  await settle()
  await simulate('return_reversal', { cardTransactionId })
  for (const what of [
    'financial_authorization',
    'credit_authorization',
    'credit_authorization_advice',
    'financial_credit_authorization',
  ]) {
    await simulate(what, purchase)
  }
  await simulate('balance_inquiry', { merchant: purchase.merchant })
  await settle()
  await call('PATCH', path, { state: 'FROZEN' })
  await call('PATCH', path, { state: 'CLOSED' })
  await attempt('PATCH', path, { state: 'ACTIVE' })
}

export async function stablecoins(stage: Stage) {
  const { call, attempt, settle } = await platformOn(stage)
  let keys = 0
  const post = (path: string, body: object) =>
    call('POST', path, body, { 'idempotency-key': `example-${++keys}` })
  const linked = await post('/stablecoin-provider-accounts', {
    ...bodyOf('linkStablecoinProviderAccount'),
    apiClientSecret: 'your-secret-at-the-provider',
  })
  await call('GET', '/stablecoin-provider-accounts?limit=2')
  await call('GET', `/stablecoin-provider-accounts/${linked.id}`)
  const coin = await post('/stablecoins', bodyOf('registerStablecoin'))
  await call('GET', '/stablecoins?limit=2')
  await call('GET', `/stablecoins/${coin.id}`)
  const wallet = await call('POST', '/platform/external-accounts', {
    currency: 'BTC',
    accountInfo: {
      accountType: 'SPARK_WALLET',
      address: 'sp1pgssyuuuhnrrdjswal5c3s3rafw9w3y5dd4cjy3duxlf7hjzkp0rqx6dj6mrhu',
    },
  })
  const bank = await call('POST', '/platform/external-accounts', payees.own)
  const minted = await post(`/stablecoins/${coin.id}/mints`, {
    ...bodyOf('createStablecoinMint'),
    destination: { accountId: wallet.id },
  })
  const funding = `/sandbox/stablecoin-operations/${minted.id}/simulate/funding`
  await call('POST', funding)
  await attempt('POST', funding)
  await call('POST', '/sandbox/clock/advance', { seconds: 60 })
  await settle()
  await call('GET', `/stablecoin-operations/${minted.id}`)
  await post(`/stablecoins/${coin.id}/burns`, {
    amount: '500000',
    source: { type: 'PROVIDER_INTERNAL_BALANCE' },
    destination: { type: 'EXTERNAL_ACCOUNT', externalAccountId: bank.id, rail: 'WIRE' },
  })
  await call('GET', `/stablecoins/${coin.id}/operations?limit=2`)
  await call('POST', `/stablecoins/${coin.id}/grid-enablement`)
}

export async function faults(stage: Stage) {
  const { call, attempt } = await platformOn(stage)
  const { id } = await call('POST', '/sandbox/faults', bodyOf('createSandboxFault'))
  await call('GET', '/sandbox/faults?limit=2')
  const outage = { kind: 'ERROR', target: 'API', match: { operationId: 'getPlatformConfig' }, times: 1 }
  const { id: faultId } = await call('POST', '/sandbox/faults', { ...outage, params: { status: 503 } })
  await attempt('GET', '/config')
  await call('GET', `/sandbox/faults/${faultId}`)
  await call('GET', `/sandbox/faults/${faultId}/activations`)
  await call('DELETE', `/sandbox/faults/${id}`)
  await call('POST', '/sandbox/faults/apply', bodyOf('applySandboxFaults'))
  await call('DELETE', '/sandbox/faults')
}
