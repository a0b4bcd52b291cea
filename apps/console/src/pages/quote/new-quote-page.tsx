import { toMinorUnits } from '@corridor/sdk/money.ts'
import { useMutation, useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { Go, usePlaces, useView } from '../../app/places.tsx'
import { useSession } from '../../app/session.tsx'
import { textOf } from '../../parts/facts.tsx'
import { PageHead } from '../../parts/page.tsx'
import { Loading, Nothing, Trouble } from '../../parts/states.tsx'
import { words } from '../../words.ts'
import { endOf } from '../accounts/accounts-page.tsx'

/** From which account, to which payee, which side is exact, and how much: then a quote locks rate, fee and amounts. */
export function NewQuotePage() {
  const { corridor } = useSession()
  const { go } = usePlaces()
  const [view] = useView()
  const customerId = view.get('customerId') ?? undefined
  const owner = (customerId ? { customerId } : {}) as never
  const choices = useQuery({
    queryKey: ['choices', customerId],
    queryFn: async () => {
      const [own, ofCustomers, payees, ownPayees] = await Promise.all([
        customerId ? { data: [] } : corridor.platform.internalAccounts.list(),
        corridor.customers.internalAccounts.list(owner),
        corridor.customers.externalAccounts.list(owner),
        customerId ? { data: [] } : corridor.platform.externalAccounts.list(),
      ])
      return { sources: [...own.data, ...ofCustomers.data], payees: [...payees.data, ...ownPayees.data] }
    },
  })
  const [sourceId, setSourceId] = useState('')
  const [payeeId, setPayeeId] = useState('')
  const [side, setSide] = useState<'SENDING' | 'RECEIVING'>('SENDING')
  const [amount, setAmount] = useState('')
  const [error, setError] = useState<unknown>()

  const sources = choices.data?.sources.filter(({ balance }) => balance.amount > 0) ?? []
  const source = sources.find(({ id }) => id === sourceId) ?? sources[0]
  const payees =
    choices.data?.payees.filter((payee) => (payee.customerId ?? undefined) === source?.customerId) ?? []
  const payee = payees.find(({ id }) => id === payeeId) ?? payees[0]
  const create = useMutation({
    mutationFn: async () => {
      if (!source || !payee) throw new Error('There is no account and payee yet.')
      const decimals =
        side === 'SENDING' ? source.balance.currency.decimals : await decimalsOf(payee.currency)
      return corridor.quotes.create({
        source: { sourceType: 'ACCOUNT', accountId: source.id },
        destination: { destinationType: 'ACCOUNT', accountId: payee.id },
        lockedCurrencySide: side,
        lockedCurrencyAmount: toMinorUnits(amount.trim(), decimals),
      } as never)
    },
    onSuccess: ({ id }) => go(`quotes/${encodeURIComponent(id)}`),
    onError: setError,
  })
  /** The API knows the decimals of a currency where it names it: in the rates from the source's. */
  const decimalsOf = async (code: string): Promise<number> => {
    if (source?.balance.currency.code === code) return source.balance.currency.decimals
    const query = { sourceCurrency: source!.balance.currency.code, destinationCurrency: code }
    const { data } = await corridor.exchangeRates.list(query as never)
    const found = data[0]?.destinationCurrency.decimals
    if (found === undefined) throw new Error(`There is no rate to ${code}.`)
    return found
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setError(undefined)
    create.mutate()
  }
  if (choices.isPending) return <Loading />
  if (choices.isError) return <Trouble error={choices.error} onRetry={() => void choices.refetch()} />
  return (
    <>
      <PageHead title={words.pages.newQuote} />
      {sources.length === 0 ? (
        <Nothing title="No account has money to send.">
          <Go to="sandbox">Let some arrive</Go>
        </Nothing>
      ) : (
        <form className="fields" onSubmit={submit}>
          <label>
            <span>From</span>
            <select
              name="source.accountId"
              value={source?.id}
              onChange={(event) => setSourceId(event.target.value)}
            >
              {sources.map(({ id, balance, customerId: of }) => (
                <option key={id} value={id}>
                  {textOf(balance)} · {of ? `customer …${of.slice(-6)}` : 'platform'}
                </option>
              ))}
            </select>
          </label>
          <label>
            <span>To</span>
            <select
              name="destination.accountId"
              value={payee?.id ?? ''}
              onChange={(event) => setPayeeId(event.target.value)}
            >
              {payees.length === 0 && <option value="">{words.states.noOptions}</option>}
              {payees.map((each) => (
                <option key={each.id} value={each.id}>
                  {endOf(each)} · {each.currency}
                </option>
              ))}
            </select>
          </label>
          <label>
            <span>Which amount is exact</span>
            <select value={side} onChange={(event) => setSide(event.target.value as typeof side)}>
              <option value="SENDING">What is sent, in {source?.balance.currency.code}</option>
              <option value="RECEIVING">What is received, in {payee?.currency ?? '…'}</option>
            </select>
          </label>
          <label>
            <span>Amount, as 1,000.00</span>
            <input
              name="lockedCurrencyAmount"
              value={amount}
              required
              maxLength={40}
              inputMode="decimal"
              onChange={(event) => setAmount(event.target.value)}
            />
          </label>
          <button type="submit" className="main" disabled={create.isPending || !payee}>
            Get a quote
          </button>
        </form>
      )}
      {error !== undefined && <Trouble isAnswer error={error} />}
    </>
  )
}
