import { toMinorUnits } from '@corridor/sdk/money.ts'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { Go, usePlaces, useView } from '../../app/places.tsx'
import { useSession } from '../../app/session.tsx'
import { rich, t } from '../../language/t.ts'
import { Act } from '../../parts/act.tsx'
import { amountIn, decimalsOf } from '../../parts/decimals.ts'
import { textOf } from '../../parts/facts.tsx'
import { nameOf } from '../../parts/names.tsx'
import { PageHead } from '../../parts/page.tsx'
import { endOf } from '../../parts/payee.tsx'
import { Loading, Nothing, Trouble } from '../../parts/states.tsx'
import { words } from '../../words.ts'
import { accountChoice } from '../accounts/account-choice.ts'
import type { Account } from '../accounts/accounts-page.tsx'
import { outcomeOf } from './outcome.ts'
import { QuoteCode } from './quote-code.tsx'

type Side = 'SENDING' | 'RECEIVING'

/**
 * From which account, to which payee, which side is exact, and how much: then a quote locks rate, fee and amounts. What stands
 * in the address is chosen at the start: customerId, from, to, side, amount.
 */
export function NewQuotePage() {
  const { corridor, environment } = useSession()
  const { go } = usePlaces()
  const [view] = useView()
  const customerId = view.get('customerId') ?? undefined
  const owner = { limit: 100, ...(customerId ? { customerId } : {}) } as never
  const choices = useQuery({
    queryKey: ['choices', customerId],
    queryFn: async () => {
      const [own, ofCustomers, payees, ownPayees, customers] = await Promise.all([
        customerId ? { data: [] } : corridor.platform.internalAccounts.list(),
        corridor.customers.internalAccounts.list(owner),
        corridor.customers.externalAccounts.list(owner),
        customerId ? { data: [] } : corridor.platform.externalAccounts.list(),
        customerId ? { data: [await corridor.customers.get(customerId)] } : corridor.customers.list(owner),
      ])
      return {
        sources: [...own.data, ...ofCustomers.data],
        payees: [...payees.data, ...ownPayees.data],
        names: new Map(customers.data.map((each) => [each.id as string, nameOf(each)])),
      }
    },
  })
  const [sourceId, setSourceId] = useState(view.get('from') ?? '')
  const [payeeId, setPayeeId] = useState(view.get('to') ?? '')
  const [side, setSide] = useState<Side>(view.get('side') === 'RECEIVING' ? 'RECEIVING' : 'SENDING')
  const [amount, setAmount] = useState(view.get('amount') ?? '')

  const sources = choices.data?.sources.filter(({ balance }) => balance.amount > 0) ?? []
  const chosen = choices.data?.payees.find(({ id }) => id === payeeId)
  // Whoever comes with a payee and no account pays from one of the same owner. One that was asked for and is not here is
  // never replaced by another.
  const source =
    sourceId === ''
      ? (sources.find((each) => chosen && each.customerId === (chosen.customerId ?? undefined)) ?? sources[0])
      : sources.find(({ id }) => id === sourceId)
  const payees =
    choices.data?.payees.filter((payee) => (payee.customerId ?? undefined) === source?.customerId) ?? []
  const payee = payeeId === '' ? payees[0] : payees.find(({ id }) => id === payeeId)
  const decimals = useQuery({
    queryKey: ['decimals', source?.balance.currency.code, payee?.currency],
    queryFn: () => decimalsOf(corridor, payee!.currency, source!.balance),
    enabled: side === 'RECEIVING' && source !== undefined && payee !== undefined,
    retry: false,
  })
  const ofSide = side === 'SENDING' ? source?.balance.currency.decimals : decimals.data
  const minor = ofSide === undefined ? undefined : minorOf(amount, ofSide)
  const bodyWith = (lockedCurrencyAmount: number | undefined) => ({
    source: { sourceType: 'ACCOUNT', accountId: source?.id },
    destination: { destinationType: 'ACCOUNT', accountId: payee?.id },
    lockedCurrencySide: side,
    lockedCurrencyAmount,
  })
  const create = async () => {
    if (!source || !payee) throw new Error(t('No account and payee yet.'))
    const code = side === 'SENDING' ? source.balance.currency.code : payee.currency
    return corridor.quotes.create(bodyWith(await amountIn(corridor, amount, code, source.balance)) as never)
  }
  const head = <PageHead title={words.pages.newQuote} />
  if (!choices.data) {
    return (
      <>
        {head}
        {choices.isPending ? (
          <Loading />
        ) : (
          <Trouble error={choices.error} onRetry={() => void choices.refetch()} />
        )}
      </>
    )
  }
  const { names } = choices.data
  const ownerOf = (of: string | undefined) =>
    of === undefined ? t('The platform') : (names.get(of) ?? t('Customer {end}', { end: `…${of.slice(-6)}` }))
  const outcome = environment === 'sandbox' && payee ? outcomeOf(payee) : undefined
  return (
    <>
      {head}
      {sources.length === 0 ? (
        <Nothing title={t('No account has money to send.')}>
          <Go to="sandbox">{t('Let some arrive')}</Go>
        </Nothing>
      ) : (
        <div className="beside">
          <div>
            <form className="fields">
              <label>
                <span>{t('From')}</span>
                <select
                  name="source.accountId"
                  value={source?.id ?? ''}
                  onChange={(event) => {
                    setSourceId(event.target.value)
                    setPayeeId('')
                  }}
                >
                  {!source && (
                    <option value="">
                      {t('Not found, or without money: …{end}', { end: sourceId.slice(-6) })}
                    </option>
                  )}
                  {sources.map((each) => (
                    <option key={each.id} value={each.id}>
                      {accountChoice(ownerOf(each.customerId), each)}
                    </option>
                  ))}
                </select>
              </label>
              <label>
                <span>{t('To')}</span>
                <select
                  name="destination.accountId"
                  value={payee?.id ?? ''}
                  onChange={(event) => setPayeeId(event.target.value)}
                >
                  {payees.length === 0 && <option value="">{words.states.noOptions}</option>}
                  {payees.length > 0 && !payee && (
                    <option value="">{t('None of these: …{end}', { end: payeeId.slice(-6) })}</option>
                  )}
                  {payees.map((each) => (
                    <option key={each.id} value={each.id}>
                      {endOf(each)} · {each.currency}
                    </option>
                  ))}
                </select>
              </label>
              <label>
                <span>{t('Which amount is exact')}</span>
                <select value={side} onChange={(event) => setSide(event.target.value as Side)}>
                  <option value="SENDING">
                    {t('Sent amount, in {currency}', { currency: source?.balance.currency.code ?? '…' })}
                  </option>
                  <option value="RECEIVING">
                    {t('Received amount, in {currency}', { currency: payee?.currency ?? '…' })}
                  </option>
                </select>
              </label>
              <label>
                <span>{t('Amount, as 1,000.00')}</span>
                <input
                  name="lockedCurrencyAmount"
                  value={amount}
                  required
                  maxLength={40}
                  inputMode="decimal"
                  onChange={(event) => setAmount(event.target.value)}
                />
              </label>
              <Act
                isMain
                isSubmit
                isDisabled={!payee}
                asks={t(
                  'Get a quote that {side, select, SENDING {sends} other {brings}} {amount} {currency}',
                  {
                    side,
                    amount: amount.trim(),
                    currency: (side === 'SENDING' ? source?.balance.currency.code : payee?.currency) ?? '',
                  },
                )}
                run={create}
                then={({ id }) => go(`quotes/${encodeURIComponent(id)}`)}
              >
                {t('Get a quote')}
              </Act>
            </form>
            {source && payee && minor !== undefined && minor > 0 && (
              <Preview key={side} source={source} currency={payee.currency} side={side} amount={minor} />
            )}
            {outcome && <p className="muted">{t('The sandbox, for this payee: {outcome}.', { outcome })}</p>}
          </div>
          <QuoteCode body={bodyWith(minor)} hasAmount={minor !== undefined} />
        </div>
      )}
    </>
  )
}

/**
 * What would arrive of an amount now, or would be sent for one to arrive. Nothing is locked, and where there is no such rate
 * nothing is said: the quote says why.
 */
function Preview({
  source,
  currency,
  side,
  amount,
}: {
  readonly source: Account
  readonly currency: string
  readonly side: Side
  readonly amount: number
}) {
  const { corridor } = useSession()
  const asked = useSettled(amount)
  const rate = useQuery({
    queryKey: ['preview', source.balance.currency.code, currency, side, asked],
    queryFn: async () => {
      const query = {
        sourceCurrency: source.balance.currency.code,
        destinationCurrency: currency,
        [side === 'SENDING' ? 'sendingAmount' : 'receivingAmount']: asked,
      }
      return (await corridor.exchangeRates.list(query as never)).data[0] ?? null
    },
    retry: false,
  })
  if (rate.isPending || asked !== amount) return <p className="muted">…</p>
  if (!rate.data) return null
  const { sourceCurrency, destinationCurrency, sendingAmount, receivingAmount, exchangeRate, fees } =
    rate.data
  const sent = textOf({ amount: sendingAmount, currency: sourceCurrency })
  const received = textOf({ amount: receivingAmount, currency: destinationCurrency })
  const parts = {
    sent,
    received,
    fee: textOf({ amount: fees.total, currency: sourceCurrency }),
    strong: () => <strong>{side === 'SENDING' ? received : sent}</strong>,
    rate: String(exchangeRate),
    source: sourceCurrency.code,
    destination: destinationCurrency.code,
  }
  return (
    <p>
      {side === 'SENDING'
        ? rich(
            '{sent}, less fees of {fee}, delivers about <strong></strong>, at {rate} {source} for one {destination} with all fees. A quote locks the rate.',
            parts,
          )
        : rich(
            'To deliver {received}, the sender pays about <strong></strong>, including fees of {fee}, at {rate} {source} for one {destination} with all fees. A quote locks the rate.',
            parts,
          )}
    </p>
  )
}

/** A value once it has stayed for a moment, so that not each key that is pressed asks. */
function useSettled<T>(value: T): T {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), 300)
    return () => clearTimeout(timer)
  }, [value])
  return settled
}

function minorOf(text: string, decimals: number): number | undefined {
  try {
    return toMinorUnits(text.trim(), decimals)
  } catch {
    return undefined
  }
}
