import { bodyOf, type Json, type OnStage, platformOn, type Stage } from './stage.ts'

export async function platforms(stage: Stage) {
  const { call, attempt } = await platformOn(stage)
  await call('PATCH', '/config', bodyOf('updatePlatformConfig'))
  await call('GET', '/config')
  const token = await call('POST', '/tokens', bodyOf('createToken'))
  await call('GET', '/tokens?limit=2')
  await call('GET', `/tokens/${token.id}`)
  await call('POST', `/tokens/${token.id}/rotate`, { overlapSeconds: 3600 })
  await attempt('GET', `/tokens/${token.id.replace(/.$/, '0')}`)
  await call('DELETE', `/tokens/${token.id}`)
  const requests = await call('GET', '/request-log?limit=2')
  await call('GET', `/request-log/${requests.data[0].requestId}`)
  await call('POST', '/webhooks/test')
  await call('GET', '/webhooks/public-key')
  await call('POST', '/sandbox/webhooks/test', bodyOf('sendTestWebhook'))
}

/** What a platform does with its events, and a listener beside it. */
export async function webhookEvents(stage: Stage) {
  const { call, attempt, customer, account, settle } = await platformOn(stage)
  await call('PATCH', '/config', { webhookEndpoint: 'https://platform.example.com/webhooks' })
  const opened = await call('POST', '/webhook-listeners', bodyOf('openWebhookListener'))
  await account((await customer()).id, 'USD', 100_000)
  await settle()
  const { data } = await call('GET', '/webhook-events?limit=2')
  await call('GET', '/stream')
  await call('GET', `/webhook-events/${data[0].id}`)
  await call('POST', `/webhook-events/${data[0].id}/resend`)
  await attempt('POST', `/webhook-events/${data[0].id}/resend`)
  await call('POST', '/webhook-events/replay', bodyOf('replayWebhookEvents'))
  const path = `/webhook-listeners/${opened.id}`
  const { session } = opened
  const taken = await call('GET', `${path}/deliveries?session=${session}`)
  const results = [{ id: taken.data[0].id, attempt: 1, status: 200, milliseconds: 12 }]
  await call('POST', `${path}/results`, { session, results })
  await call('GET', '/webhook-listeners')
  await settle()
}

export async function customers(stage: Stage) {
  const { call, attempt, customer, settle } = await platformOn(stage)
  const created = await call('POST', '/customers', bodyOf('createCustomer'))
  await attempt('POST', '/customers', bodyOf('createCustomer'))
  await call('GET', '/customers?limit=2')
  await call('GET', '/customers/end-user-terms')
  const path = `/customers/${created.id}`
  await call('GET', path)
  await call('PATCH', path, {
    customerType: 'INDIVIDUAL',
    address: { ...bodyOf('createCustomer').address, line1: '1 Oak Lane' },
  })
  await call('POST', `${path}/kyc-link`, bodyOf('createCustomerKycLink'))
  await call('DELETE', path)
  const file = [
    'umaAddress,platformCustomerId,customerType,fullName,birthDate',
    '$pia@sandbox.uma.money,user-4713,INDIVIDUAL,Pia Row,1988-01-09',
  ]
  const form = new FormData()
  form.append('file', new Blob([file.join('\n')], { type: 'text/csv' }), 'customers.csv')
  const { jobId } = await call('POST', '/customers/bulk/csv', form)
  await settle()
  await call('GET', `/customers/bulk/jobs/${jobId}`)

  const wallet = await customer({ platformCustomerId: 'user-4714', email: 'ana@customer.example' })
  // A contact that unlocks the customer's wallet is changed with a signature of the wallet.
  const change = { customerType: 'INDIVIDUAL', email: 'ana.lopez@customer.example' }
  const { requestId } = await call('PATCH', `/customers/${wallet.id}`, change)
  await call('PATCH', `/customers/${wallet.id}`, change, bySignature(requestId))

  const european = await customer({
    platformCustomerId: 'user-4715',
    fullName: 'Lena Vogt',
    region: 'DE',
    nationality: 'DE',
    email: 'lena@customer.example',
    phoneNumber: '+4915112345678',
    address: { line1: 'Am Hafen 3', city: 'Hamburg', postalCode: '20457', country: 'DE' },
  })
  for (const contact of ['email', 'phone']) {
    await call('POST', `/customers/${european.id}/verify-${contact}`)
    await call('POST', `/customers/${european.id}/verify-${contact}/confirm`, { code: '123456' })
  }
  await call('GET', '/sandbox/inbox?limit=2')
  await call('GET', `/sandbox/inbox/wait?customerId=${european.id}&after=2025-10-13T09:00:00Z&seconds=0`)
}

/** What the sandbox takes for the signature of any wallet. */
export const bySignature = (requestId: string) => ({
  'request-id': requestId,
  'service-wallet-signature': 'sandbox-valid-signature',
})

const picture = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

function upload(type: string, holder: object): FormData {
  const form = new FormData()
  const fields = { ...holder, documentType: type, country: 'US', documentNumber: 'X1234567' }
  for (const [name, value] of Object.entries(fields)) form.set(name, value)
  form.set('file', new Blob([picture], { type: 'image/png' }), 'passport.png')
  return form
}

export async function verification(stage: Stage) {
  const { call, settle }: OnStage = await platformOn(stage, { isRegulated: false })
  const person = await call('POST', '/customers', {
    ...bodyOf('createCustomer'),
    idType: 'SSN',
    identifier: '219-09-9999',
  })
  const document = await call('POST', '/documents', upload('PASSPORT', { documentHolder: person.id }))
  await call('GET', `/documents?documentHolder=${person.id}&limit=2`)
  await call('GET', `/documents/${document.id}`)
  await call('PUT', `/documents/${document.id}`, upload('PASSPORT', {}))
  const started = await call('POST', '/verifications', { customerId: person.id })
  await settle()
  await call('GET', `/verifications/${started.id}`)
  await call('GET', `/verifications?customerId=${person.id}&limit=2`)

  const company = await call('POST', '/customers', {
    customerType: 'BUSINESS',
    platformCustomerId: 'company-12',
    region: 'US',
    currencies: ['USD'],
    businessInfo: {
      legalName: 'Larch Tools LLC',
      country: 'US',
      taxId: '12-3456789',
      incorporatedOn: '2016-09-30',
    },
  })
  const owner: Json = await call('POST', '/beneficial-owners', {
    ...bodyOf('createBeneficialOwner'),
    customerId: company.id,
  })
  await call('GET', `/beneficial-owners?customerId=${company.id}&limit=2`)
  await call('GET', `/beneficial-owners/${owner.id}`)
  await call('PATCH', `/beneficial-owners/${owner.id}`, { ownershipPercentage: 60 })
  const wrong = await call('POST', '/documents', upload('UTILITY_BILL', { documentHolder: company.id }))
  await call('DELETE', `/documents/${wrong.id}`)
}
