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
export function Scenarios({ of, onRun }: { readonly of?: 'arrives' | 'fails'; readonly onRun?: () => void }) {
  const { corridor } = useSession()
  const { go } = usePlaces()
  const shown = of === 'arrives' ? scenarios.slice(0, 1) : of === 'fails' ? scenarios.slice(1) : scenarios
  return (
    <div className="acts">
      {shown.map(({ name, ending }) => (
        <Act
          key={ending}
          isMain={ending === scenarios[0].ending}
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
  const quote = await quoteForGreta(corridor, ending, { region: 'US', currency: 'USD' })
  await corridor.quotes.execute(quote.id)
  return quote.transactionId
}

/** In the European Economic Area the customer is asked before anything is paid. Answers the id of the quote. */
export async function needsAuthorization(corridor: Corridor): Promise<string> {
  const quote = await quoteForGreta(corridor, '678', { region: 'DE', currency: 'EUR' })
  await corridor.quotes.execute(quote.id)
  return quote.id
}

async function quoteForGreta(
  corridor: Corridor,
  ending: string,
  { region, currency }: { readonly region: string; readonly currency: string },
) {
  const customer = await corridor.customers.create({
    customerType: 'INDIVIDUAL',
    fullName: 'Ana Lopez',
    region,
    currencies: [currency],
  } as never)
  const { data } = await corridor.internalAccounts.list({ customerId: customer.id, currency } as never)
  const account = data[0]
  if (!account) throw new Error(`The customer has no account in ${currency}.`)
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
  return await corridor.quotes.create({
    source: { sourceType: 'ACCOUNT', accountId: account.id },
    destination: { destinationType: 'ACCOUNT', accountId: payee.id },
    lockedCurrencySide: 'SENDING',
    lockedCurrencyAmount: 100_000,
    description: 'Scenario of the sandbox',
  } as never)
}

export { payGreta, scenarios }
