import { operations, webhooks } from '@corridor/engine/assembly/features.ts'
import { openApiDocument } from '@corridor/engine/mechanisms/http/openapi.ts'
import {
  createCustomer,
  createPayee,
  createQuote,
  execute,
  fund,
  internalAccountOf,
  must,
  operatorKey,
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

// A bank that lets payments wait for half a minute.
const patient = await createCustomer(api)
const emptied = await internalAccountOf(api, patient.id, 'USD')
await fund(api, emptied.id, 1_000)
const slow = await createPayee(api, 'USD', '000123456005', { customerId: patient.id })
const transfer = { source: { accountId: emptied.id }, destination: { accountId: slow.id }, amount: 1_000 }
const out = await must(api.POST('/transfer-out', { body: transfer as never }))
const statusOf = async () =>
  (await must(api.GET('/transactions/{transactionId}', { params: { path: { transactionId: out.id } } })))
    .status
await server.settle()
const queued: string[] = [await statusOf()]
const closing = await server.fetch(`http://corridor.test/operator/internal-accounts/${emptied.id}/close`, {
  method: 'POST',
  headers: { authorization: `Bearer ${operatorKey}` },
})
await server.pass(60_000)
queued.push(await statusOf())
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
    queued,
    closing: ((await closing.json()) as { details: { reason?: string } }).details.reason,
    note: await note.json(),
    published: ['TRIAL_ACCOUNT', 'TRIAL_RAIL', 'TRIAL_NOTE.WRITTEN', 'listTrialNotes', 'QUEUED'].filter(
      (word) => document.includes(`"${word}"`),
    ),
  }),
)
await server.close()
