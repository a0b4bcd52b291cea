/** A test for continuous integration: a Corridor of its own, whose clock it moves. See README.md. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type RunningCorridor, startCorridor } from '@corridor/sdk/testing'

let corridor: RunningCorridor
before(async () => {
  corridor = await startCorridor()
})
after(() => corridor.stop())

/** Pays Diego 200.00 USD to an account with this ending, which decides what happens. Returns the transaction's id. */
async function pay(ending: string): Promise<string> {
  const { client } = corridor
  const ana = await client.customers.create({
    customerType: 'INDIVIDUAL',
    fullName: 'Ana Lopez',
    region: 'US',
    currencies: ['USD'],
  })
  const [dollars] = await client.customers.internalAccounts
    .list({ customerId: ana.id, currency: 'USD' })
    .first(1)
  await client.sandbox.internalAccounts.fund(dollars!.id, { amount: 50_000 })
  const diego = await client.customers.externalAccounts.create({
    customerId: ana.id,
    currency: 'MXN',
    accountInfo: {
      accountType: 'MXN_ACCOUNT',
      clabeNumber: `032180000118359${ending}`,
      beneficiary: { beneficiaryType: 'INDIVIDUAL', fullName: 'Diego Ramirez' },
    },
  })
  const quote = await client.quotes.create({
    source: { sourceType: 'ACCOUNT', accountId: dollars!.id },
    destination: { destinationType: 'ACCOUNT', accountId: diego.id },
    lockedCurrencySide: 'SENDING',
    lockedCurrencyAmount: 20_000,
  })
  await client.quotes.execute(quote.id)
  return quote.transactionId
}

test('a payment that takes six minutes completes', async () => {
  const id = await pay('003')
  const pending = await corridor.client.transactions.get(id)
  assert.notEqual(pending.status, 'COMPLETED')
  await corridor.clock.advance('7m')
  await corridor.events.waitFor('OUTGOING_PAYMENT.COMPLETED', { where: ({ data }) => data.id === id })
})

test('a payment that the bank refuses fails, and the money comes back', async () => {
  const id = await pay('004')
  await corridor.events.waitFor('OUTGOING_PAYMENT.FAILED', { where: ({ data }) => data.id === id })
  await corridor.events.waitFor('OUTGOING_PAYMENT.REFUND_COMPLETED', { where: ({ data }) => data.id === id })
})
