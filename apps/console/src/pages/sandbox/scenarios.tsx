import type { Corridor } from '@corridor/sdk/index.ts'
import { usePlaces } from '../../app/places.tsx'
import { useSession } from '../../app/session.tsx'
import { t } from '../../language/t.ts'
import { Act } from '../../parts/act.tsx'
import { NoPage } from '../../parts/no-page.tsx'
import { PageHead } from '../../parts/page.tsx'

/** Endings of account numbers, and what becomes of a payment to such an account (the guide to the sandbox). */
const common = [
  { name: t('It arrives'), ending: '678' },
  { name: t('It takes six minutes'), ending: '003' },
  { name: t('The delivery fails'), ending: '004' },
  { name: t('The bank sends it back'), ending: '005' },
] as const
const rare = [
  { name: t('It cannot be executed'), ending: '002' },
  { name: t('It is cancelled'), ending: '006' },
  { name: t('Delivery and refund fail'), ending: '007' },
] as const
/** All of them: what each is called, and the ending that brings it about. */
const scenarios = [...common, ...rare]
const authorized = t('The customer has to authorize it')

/** Each by its name, for whoever runs one from anywhere; answers the place of what it made. */
export const runs: readonly {
  readonly name: string
  readonly run: (corridor: Corridor) => Promise<string>
}[] = [
  ...scenarios.map(({ name, ending }) => ({
    name,
    run: async (corridor: Corridor) => placeOf('payments', await payGreta(corridor, ending)),
  })),
  {
    name: authorized,
    run: async (corridor) => placeOf('quotes', await needsAuthorization(corridor)),
  },
]

const placeOf = (list: string, id: string) => `${list}/${encodeURIComponent(id)}`

/** The scenarios alone. */
export function ScenariosPage() {
  const { environment } = useSession()
  if (environment !== 'sandbox') return <NoPage />
  return (
    <>
      <PageHead title={t('Scenarios')} />
      <p className="muted above">
        {t(
          'Each scenario creates a customer, a balance, a payee and a payment, with the same requests as your integration.',
        )}
      </p>
      <Scenarios />
    </>
  )
}

interface ScenariosProps {
  /** Those alone; absent: all. */
  readonly of?: 'arrives' | 'fails'
  /** There is one already, and the button is called so. */
  readonly again?: boolean
  readonly onRun?: () => void
}

/** A customer, a balance, a payee and a payment: the requests that an integration would make, one after the other. */
export function Scenarios({ of, again = false, onRun }: ScenariosProps) {
  const { corridor } = useSession()
  const { go } = usePlaces()
  const shown = of === 'arrives' ? common.slice(0, 1) : of === 'fails' ? common.slice(1) : scenarios
  return (
    <div className="acts">
      {shown.map(({ name, ending }) => (
        <Act
          key={ending}
          isMain={of === undefined && ending === common[0].ending}
          run={() => payGreta(corridor, ending)}
          then={(transactionId) => {
            onRun?.()
            go(placeOf('payments', transactionId))
          }}
        >
          {again ? t('Run again') : of === 'arrives' ? t('Make a sample payment') : name}
        </Act>
      ))}
      {of !== 'arrives' && (
        <Act
          run={() => needsAuthorization(corridor)}
          then={(quoteId) => {
            onRun?.()
            go(placeOf('quotes', quoteId))
          }}
        >
          {authorized}
        </Act>
      )}
    </div>
  )
}

/** Pays from dollars to an account with such an ending; the id of the payment. */
async function payGreta(corridor: Corridor, ending: string): Promise<string> {
  const quote = await quoteForGreta(corridor, ending, { region: 'US', currency: 'USD' })
  await corridor.quotes.execute(quote.id)
  return quote.transactionId
}

/** In the European Economic Area the customer is asked before anything is paid. Answers the id of the quote. */
async function needsAuthorization(corridor: Corridor): Promise<string> {
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
  if (!account) throw new Error(t('The customer has no account in {currency}.', { currency }))
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
