import type { Corridor } from '@corridor/sdk'
import type { Command } from '../command.ts'
import { misused } from '../exit.ts'

/**
 * Makes an event happen in the sandbox, by what leads to it in earnest: customers, money, payments. Nothing is
 * invented, so what the event says can be read from the API afterwards.
 */

type Scenario = (client: Corridor) => Promise<string>

/** A customer with 5,000.00 USD, who pays 1,000.00 USD to a bank account in euros. */
function payment(ending: string): Scenario {
  return async (client) => {
    const { customerId, accountId } = await fundedCustomer(client)
    const payee = await client.customers.externalAccounts.create({
      customerId,
      currency: 'EUR',
      accountInfo: {
        accountType: 'EUR_ACCOUNT',
        iban: ibanEndingIn(ending),
        beneficiary: {
          beneficiaryType: 'INDIVIDUAL',
          fullName: 'Greta Lindholm',
          birthDate: '1979-04-02',
          nationality: 'SE',
        },
      },
    })
    const quote = await client.quotes.create({
      source: { sourceType: 'ACCOUNT', accountId },
      destination: { destinationType: 'ACCOUNT', accountId: payee.id },
      lockedCurrencySide: 'SENDING',
      lockedCurrencyAmount: 100_000,
      description: 'corridor trigger',
    })
    // An execution that fails is what some endings are for.
    await client.quotes.execute(quote.id).catch(() => {})
    return quote.transactionId
  }
}

async function fundedCustomer(client: Corridor): Promise<{ customerId: string; accountId: string }> {
  const customer = await client.customers.create({
    customerType: 'INDIVIDUAL',
    fullName: 'Ana Lopez',
    region: 'US',
    currencies: ['USD', 'EUR'],
  })
  const query = { customerId: customer.id, currency: 'USD' }
  const [account] = await client.customers.internalAccounts.list(query).first(1)
  if (!account) throw misused('The customer got no account in USD.')
  await client.sandbox.internalAccounts.fund(account.id, { amount: 500_000 })
  return { customerId: customer.id, accountId: account.id }
}

/** A German account number whose last three digits are these, with the right check digits. */
export function ibanEndingIn(ending: string): string {
  const account = `370400440532013${ending}`
  // D is 13 and E is 14; the two zeros stand for the check digits (ISO 13616).
  const rest = BigInt(`${account}131400`) % 97n
  return `DE${String(98n - rest).padStart(2, '0')}${account}`
}

const fundAccount: Scenario = async (client) => (await fundedCustomer(client)).accountId

const columns =
  'umaAddress,platformCustomerId,customerType,fullName,birthDate,addressLine1,city,state,postalCode,country'

const uploadPeople: Scenario = async (client) => {
  const { umaDomain } = await client.config.get()
  const { now } = await client.sandbox.clock.get()
  // An address is taken once, and the time is another each time.
  const name = `trigger-${Date.parse(now)}`
  const row = `$${name}@${umaDomain},${name},INDIVIDUAL,Pia Row,1988-01-09,2 Dock Ln,Reno,NV,89501,US`
  const form = new FormData()
  form.append('file', new Blob([`${columns}\n${row}\n`], { type: 'text/csv' }), 'customers.csv')
  return (await client.customers.bulk.uploadCsv(form)).jobId
}

export const scenarios: Readonly<Record<string, Scenario>> = {
  TEST: async (client) => {
    await client.sandbox.webhooks.test()
    return 'a test of the endpoint'
  },
  'OUTGOING_PAYMENT.PENDING': payment('000'),
  'OUTGOING_PAYMENT.PROCESSING': payment('000'),
  'OUTGOING_PAYMENT.COMPLETED': payment('000'),
  'OUTGOING_PAYMENT.FAILED': payment('004'),
  'OUTGOING_PAYMENT.REFUND_PENDING': payment('004'),
  'OUTGOING_PAYMENT.REFUND_COMPLETED': payment('004'),
  'OUTGOING_PAYMENT.REFUND_FAILED': payment('007'),
  'INCOMING_PAYMENT.COMPLETED': fundAccount,
  'INTERNAL_ACCOUNT.BALANCE_UPDATED': fundAccount,
  'BULK_UPLOAD.COMPLETED': uploadPeople,
}

export const trigger: Command = {
  words: ['trigger'],
  takes: 'EVENT',
  says: 'Make an event happen in the sandbox: corridor trigger OUTGOING_PAYMENT.FAILED',
  async run(context) {
    const type = context.argument(0, 'EVENT')
    const scenario = Object.hasOwn(scenarios, type) ? scenarios[type] : undefined
    if (!scenario)
      throw misused(`${type} cannot be triggered.`, `One of ${Object.keys(scenarios).join(', ')}.`)
    const client = context.client()
    // Refused in production, where the customer of a scenario would be one among the real ones.
    await client.sandbox.clock.get()
    const subject = await scenario(client)
    if (context.output.json) context.terminal.out(JSON.stringify({ type, subject }))
    else context.terminal.out(context.output.quiet ? subject : `✓ ${type} follows from ${subject}`)
    return undefined
  },
}
