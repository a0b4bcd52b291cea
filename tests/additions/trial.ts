import { operations, webhooks } from '@corridor/engine/assembly/features.ts'
import { openApiDocument } from '@corridor/engine/mechanisms/http/openapi.ts'
import {
  createCustomer,
  createQuote,
  execute,
  fund,
  internalAccountOf,
  must,
  quoteBody,
  startTestServer,
} from '@corridor/testkit/index.ts'

/** Run in a copy of the source with the trial additions: uses each of them, and prints what came of it. */

const server = await startTestServer()
const platform = await server.platform({ skipPaperwork: true })
const api = server.client(platform)
const customer = await createCustomer(api)
const usd = await internalAccountOf(api, customer.id, 'USD')
await fund(api, usd.id, 100_000)

const accountInfo = {
  accountType: 'TRIAL_ACCOUNT',
  trialNumber: '12345678',
  beneficiary: { beneficiaryType: 'INDIVIDUAL', fullName: 'Ada Lovelace' },
}
const body = { customerId: customer.id, currency: 'GBP', accountInfo }
const account = await must(api.POST('/customers/external-accounts', { body: body as never }))
const { id, transactionId } = await createQuote(api, quoteBody(usd, account, 10_000))
await execute(api, id)
for (let step = 0; step < 3; step++) await server.pass(60_000)
const transaction = await must(
  api.GET('/transactions/{transactionId}', { params: { path: { transactionId } } }),
)
const note = await server.fetch(`${server.baseUrl}/trial-notes`, {
  headers: {
    authorization: `Basic ${Buffer.from(`${platform.clientId}:${platform.clientSecret}`).toString('base64')}`,
  },
})
const document = JSON.stringify(openApiDocument(operations, webhooks))
console.log(
  JSON.stringify({
    rails: (account.accountInfo as { paymentRails?: string[] }).paymentRails,
    status: transaction.status,
    rail: (transaction as { paymentRail?: string }).paymentRail,
    note: await note.json(),
    published: ['TRIAL_ACCOUNT', 'TRIAL_RAIL', 'TRIAL_NOTE.WRITTEN', 'listTrialNotes'].filter((word) =>
      document.includes(word),
    ),
  }),
)
await server.close()
