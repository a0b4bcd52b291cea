/** A marketplace that onboards ten sellers and pays each in pesos. See README.md. */
import { Corridor, formatMoney } from '@corridor/sdk'

const corridor = new Corridor()

/** What the marketplace knows of its sellers: whom it owes how many cents. */
const sellers = ['Ada', 'Ben', 'Cleo', 'Dana', 'Emil', 'Fay', 'Gus', 'Hana', 'Ivo', 'Jo'].map(
  (name, index) => ({
    fullName: `${name} Serrano`,
    owedCents: 10_000 + 500 * index,
  }),
)
type Seller = (typeof sellers)[number]

/**
 * One key for what is owed, in every call on the way to the money: a run that broke off can be repeated within a day. The
 * key of the execution alone would not do, because another quote is another payment.
 */
const once = ({ fullName }: Seller) => ({ idempotencyKey: `settlement-june-${fullName.replace(' ', '-')}` })

/** Verifies a person. The sandbox takes any picture for a passport; production shows it to people. */
async function onboard(seller: Seller): Promise<string> {
  const { fullName } = seller
  const person = await corridor.customers.create(
    {
      customerType: 'INDIVIDUAL',
      fullName,
      region: 'US',
      currencies: ['USD'],
      birthDate: '1991-04-02',
      nationality: 'US',
      address: { line1: '8 Quay Rd', city: 'Tacoma', state: 'WA', postalCode: '98402', country: 'US' },
      idType: 'SSN',
      identifier: '219-09-9999',
    },
    once(seller),
  )
  const passport = new FormData()
  passport.set('documentHolder', person.id)
  passport.set('documentType', 'PASSPORT')
  passport.set('country', 'US')
  passport.set('documentNumber', 'X1234567')
  passport.set('issuingAuthority', 'State Department')
  passport.set('file', new Blob([pixel], { type: 'image/png' }), 'passport.png')
  await corridor.documents.create(passport, once(seller))
  const { verificationStatus } = await corridor.verifications.create({ customerId: person.id }, once(seller))
  if (verificationStatus !== 'APPROVED') throw new Error(`${fullName} is ${verificationStatus}`)
  return person.id
}

const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

/** Pays a seller's bank account out of the marketplace's own balance. */
async function pay(seller: Seller, customerId: string, fromAccount: string): Promise<string> {
  const account = await corridor.customers.externalAccounts.create(
    {
      customerId,
      currency: 'MXN',
      accountInfo: {
        accountType: 'MXN_ACCOUNT',
        clabeNumber: '032180000118359719',
        beneficiary: { beneficiaryType: 'INDIVIDUAL', fullName: seller.fullName },
      },
    },
    once(seller),
  )
  const quote = await corridor.quotes.create(
    {
      source: { sourceType: 'ACCOUNT', accountId: fromAccount },
      destination: { destinationType: 'ACCOUNT', accountId: account.id },
      lockedCurrencySide: 'SENDING',
      lockedCurrencyAmount: seller.owedCents,
    },
    once(seller),
  )
  await corridor.quotes.execute(quote.id, once(seller))
  const payment = await corridor.transactions.waitFor(quote.transactionId)
  const received = { amount: quote.totalReceivingAmount, currency: quote.receivingCurrency }
  // A cancelled payment is COMPLETED as well, with its money back.
  return `${seller.fullName}: ${formatMoney(received, 'en')} ${'refund' in payment ? 'not delivered' : payment.status}`
}

const [dollars] = await corridor.platform.internalAccounts.list({ currency: 'USD' }).first(1)
if (!dollars) throw new Error('the platform has no account in dollars')
const owedCents = sellers.reduce((sum, seller) => sum + seller.owedCents, 0)
await corridor.sandbox.internalAccounts.fund(dollars.id, { amount: owedCents })

// At once: each seller is a customer of its own, so nobody waits for another.
const lines = await Promise.all(sellers.map(async (seller) => pay(seller, await onboard(seller), dollars.id)))
for (const line of lines) console.log(line)
console.log(`paid ${lines.filter((line) => line.endsWith('COMPLETED')).length} of ${sellers.length}`)
