import type { Corridor } from '@corridor/sdk/index.ts'
import { usePlaces } from '../../app/places.tsx'
import { useSession } from '../../app/session.tsx'
import { Act } from '../../parts/act.tsx'

/** Endings of account numbers, and what becomes of a payment to such an account (the guide to the sandbox). */
const scenarios = [
  { name: 'It arrives', ending: '678' },
  { name: 'It takes six minutes', ending: '003' },
  { name: 'The delivery fails', ending: '004' },
  { name: 'The bank sends it back', ending: '005' },
] as const

/** A customer, a balance, a payee and a payment: the requests that an integration would make, one after the other. */
export function Scenarios({ onRun }: { readonly onRun?: () => void }) {
  const { corridor } = useSession()
  const { go } = usePlaces()
  return (
    <div className="acts">
      {scenarios.map(({ name, ending }, index) => (
        <Act
          key={ending}
          isMain={index === 0}
          run={() => payGreta(corridor, ending)}
          then={(transactionId) => {
            onRun?.()
            go(`payments/${encodeURIComponent(transactionId)}`)
          }}
        >
          {name}
        </Act>
      ))}
    </div>
  )
}

async function payGreta(corridor: Corridor, ending: string): Promise<string> {
  const customer = await corridor.customers.create({
    customerType: 'INDIVIDUAL',
    fullName: 'Ana Lopez',
    region: 'US',
    currencies: ['USD'],
  } as never)
  const { data } = await corridor.internalAccounts.list({ customerId: customer.id, currency: 'USD' } as never)
  const account = data[0]
  if (!account) throw new Error('The customer has no dollar account.')
  await corridor.sandbox.internalAccounts.fund(account.id, { amount: 500_000 })
  const payee = await corridor.customers.externalAccounts.create({
    customerId: customer.id,
    currency: 'GBP',
    accountInfo: {
      accountType: 'GBP_ACCOUNT',
      sortCode: '200000',
      accountNumber: `12345${ending}`,
      beneficiary: { beneficiaryType: 'INDIVIDUAL', fullName: 'Greta Lindholm' },
    },
  } as never)
  const quote = await corridor.quotes.create({
    source: { sourceType: 'ACCOUNT', accountId: account.id },
    destination: { destinationType: 'ACCOUNT', accountId: payee.id },
    lockedCurrencySide: 'SENDING',
    lockedCurrencyAmount: 100_000,
    description: 'Scenario of the sandbox',
  } as never)
  await corridor.quotes.execute(quote.id)
  return quote.transactionId
}
