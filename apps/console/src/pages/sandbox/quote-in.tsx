import type { Corridor } from '@corridor/sdk/index.ts'
import { toMinorUnits } from '@corridor/sdk/money.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useSession } from '../../app/session.tsx'
import { t } from '../../language/t.ts'
import { Act } from '../../parts/act.tsx'
import { Facts, Id, Moment, Money, textOf } from '../../parts/facts.tsx'
import { Loading, Nothing, Trouble } from '../../parts/states.tsx'
import { Status } from '../../parts/status.tsx'
import {
  type Arrived,
  arrive,
  freshRailReference,
  type Into,
  makeWaitingQuote,
  nobodys,
  referenceIn,
} from './arrivals.ts'
import { ArrivedList } from './arrived.tsx'
import { type Choice, meantBy } from './choice.ts'
import { secondsUntil } from './clock-time.ts'
import { Pick } from './pick.tsx'

type Quote = Awaited<ReturnType<Corridor['quotes']['get']>>

/** Quotes have no list: those that wait are known by when they expire, and read one by one. */
const mostListed = 20

/** What a quote waits for that is paid in as it is executed. */
export function QuoteIn({ id, onChange }: Into) {
  const { corridor } = useSession()
  const listed = useQuery({
    queryKey: ['money-in', 'quotes'],
    queryFn: async (): Promise<Choice[]> => {
      const { upcoming } = await corridor.sandbox.clock.upcoming.get()
      const ids = upcoming.flatMap(({ kind, subjectId }) =>
        kind === 'quotes.expire' && subjectId !== undefined ? [subjectId] : [],
      )
      const quotes = await Promise.all(ids.slice(0, mostListed).map((each) => corridor.quotes.get(each)))
      return quotes
        .filter(({ source, status }) => source.sourceType === 'REALTIME_FUNDING' && status === 'PENDING')
        .map(nameOfQuote)
    },
  })
  if (listed.isPending) return <Loading />
  if (!listed.data) return <Trouble error={listed.error} onRetry={() => void listed.refetch()} />
  const chosen = meantBy(id, listed.data)
  return (
    <>
      {id === '' && listed.data.length === 0 && (
        <Nothing
          title={t('No quotes are waiting for funds. Create one with source type REALTIME_FUNDING.')}
          cli="corridor quotes create"
        >
          <Act run={() => makeWaitingQuote(corridor)} then={onChange}>
            {t('Make one')}
          </Act>
        </Nothing>
      )}
      <div className="fields pick">
        <Pick
          label={t('Quote')}
          of={listed.data}
          value={id}
          onChange={onChange}
          other={t('Id of the quote')}
        />
      </div>
      {chosen && <Funding key={chosen} id={chosen} />}
    </>
  )
}

function nameOfQuote({
  id,
  totalSendingAmount,
  sendingCurrency,
  totalReceivingAmount,
  receivingCurrency,
}: Quote) {
  const sent = textOf({ amount: totalSendingAmount, currency: sendingCurrency })
  const received = textOf({ amount: totalReceivingAmount, currency: receivingCurrency })
  return { value: id as string, name: `${sent} → ${received} · …${id.slice(-6)}` }
}

function Funding({ id }: { readonly id: string }) {
  const { corridor } = useSession()
  const quote = useQuery({
    queryKey: ['quote', id],
    queryFn: () => corridor.quotes.get(id),
    refetchInterval: 3_000,
  })
  const [amount, setAmount] = useState('')
  const [arrived, setArrived] = useState<readonly Arrived[]>()
  if (quote.isPending) return <Loading />
  if (!quote.data) return <Trouble error={quote.error} missing={id} onRetry={() => void quote.refetch()} />
  const { sendingCurrency, totalSendingAmount, expiresAt, paymentInstructions, status } = quote.data
  const asked = { amount: totalSendingAmount, currency: sendingCurrency }
  const currency = sendingCurrency.code
  const reference = referenceIn(paymentInstructions)
  /** Without an amount: exactly what is asked for. */
  const send = async (currencyAmount?: number): Promise<Arrived[]> => {
    const sent = await corridor.sandbox.send({
      quoteId: id,
      currencyCode: currency,
      ...(currencyAmount === undefined ? {} : { currencyAmount }),
    } as never)
    const isRefunded = 'refund' in sent && sent.refund !== undefined
    return [{ outcome: isRefunded ? 'REFUNDED' : 'FUNDED_QUOTE', transactionId: sent.id }]
  }
  const comes = (as: string | undefined, railReferences?: readonly string[]) =>
    arrive(corridor, { currency, amount: totalSendingAmount, reference: as }, railReferences)
  const toldTwice = () => {
    const one = freshRailReference()
    return comes(reference, [one, one])
  }
  const late = async () => {
    const { now } = await corridor.sandbox.clock.get()
    await corridor.sandbox.clock.advance({ seconds: secondsUntil(now, expiresAt) })
    return comes(reference)
  }
  return (
    <>
      <Facts
        of={[
          [t('Quote'), <Id key="q" id={id} />],
          [t('Status'), <Status key="s" status={status} />],
          [t('Asks for'), <Money key="a" of={asked} />],
          [
            t('Reference'),
            reference && (
              <span key="r" className="id">
                {reference}
              </span>
            ),
          ],
          [t('Until'), <Moment key="u" at={expiresAt} />],
        ]}
      />
      <div className="fields">
        <label>
          <span>{t('Amount in {currency}; empty: the exact amount of the quote', { currency })}</span>
          <input
            value={amount}
            maxLength={40}
            inputMode="decimal"
            onChange={({ target }) => setAmount(target.value)}
          />
        </label>
        <Act
          isMain
          run={() =>
            send(amount.trim() === '' ? undefined : toMinorUnits(amount.trim(), sendingCurrency.decimals))
          }
          then={setArrived}
        >
          {t('Let it arrive')}
        </Act>
      </div>
      <fieldset className="acts" aria-label={t('Try')}>
        <span className="muted">{t('Try:')}</span>
        <Act run={() => send()} then={setArrived}>
          {t('Exact')}
        </Act>
        <Act run={() => send(totalSendingAmount - 1)} isDisabled={totalSendingAmount < 2} then={setArrived}>
          {t('{amount} short', { amount: textOf({ amount: 1, currency: sendingCurrency }) })}
        </Act>
        <Act run={() => comes(nobodys)} then={setArrived}>
          {t('Wrong reference')}
        </Act>
        {reference !== undefined && (
          <>
            <Act run={toldTwice} then={setArrived}>
              {t('Report twice')}
            </Act>
            <Act run={() => comes(reference, [freshRailReference(), freshRailReference()])} then={setArrived}>
              {t('Paid twice')}
            </Act>
            <Act confirm={t('Yes, move the clock to its end')} run={late} then={setArrived}>
              {t('After expiry')}
            </Act>
          </>
        )}
      </fieldset>
      <ArrivedList of={arrived} />
    </>
  )
}
