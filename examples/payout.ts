/** A payout in thirty lines: who pays, where to, how much, and whether it arrived. See README.md. */
import { Corridor, formatMoney } from '@corridor/sdk'

const corridor = new Corridor() // CORRIDOR_BASE_URL, CORRIDOR_CLIENT_ID, CORRIDOR_CLIENT_SECRET

const ana = await corridor.customers.create({
  customerType: 'INDIVIDUAL',
  fullName: 'Ana Lopez',
  region: 'US',
  currencies: ['USD'],
})
const [dollars] = await corridor.customers.internalAccounts
  .list({ customerId: ana.id, currency: 'USD' })
  .first(1)
await corridor.sandbox.internalAccounts.fund(dollars!.id, { amount: 100_000 }) // in production she pays in

const beneficiary = { beneficiaryType: 'INDIVIDUAL', fullName: 'Diego Ramirez' } as const
const diego = await corridor.customers.externalAccounts.create({
  customerId: ana.id,
  currency: 'MXN',
  accountInfo: { accountType: 'MXN_ACCOUNT', clabeNumber: '032180000118359719', beneficiary },
})
const quote = await corridor.quotes.create({
  source: { sourceType: 'ACCOUNT', accountId: dollars!.id },
  destination: { destinationType: 'ACCOUNT', accountId: diego.id },
  lockedCurrencySide: 'SENDING',
  lockedCurrencyAmount: 50_000, // 500.00 USD: amounts are in the smallest unit
})
await corridor.quotes.execute(quote.id, { idempotencyKey: `rent-june-${ana.id}` }) // this quote is paid once
const payment = await corridor.transactions.waitFor(quote.transactionId)

const received = { amount: quote.totalReceivingAmount, currency: quote.receivingCurrency }
// A cancelled payment is COMPLETED as well: its refund says that it was not delivered.
const isDelivered = payment.status === 'COMPLETED' && !('refund' in payment)
console.log(
  `${payment.status}: Diego ${isDelivered ? 'received' : 'did not receive'} ${formatMoney(received, 'en')}`,
)
