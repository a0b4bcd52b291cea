import type { Item } from '@corridor/sdk/index.ts'
import { toMinorUnits } from '@corridor/sdk/money.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useSession } from '../../app/session.tsx'
import { Act } from '../../parts/act.tsx'
import { shortOf } from '../../parts/facts.tsx'
import { Part } from '../../parts/page.tsx'
import { readable } from '../../parts/status.tsx'
import { words } from '../../words.ts'

type Card = Item<'listCards'>

/** What the sandbox answers of a card payment, as far as the simulator needs it. */
interface CardPayment {
  readonly id: string
  readonly cardId?: string
  readonly status: string
  readonly issuerTransactionToken?: string
}

/** The ten messages that a card network sends, as the sandbox plays them. */
export function CardSimulator({ card }: { readonly card: Card }) {
  const { corridor } = useSession()
  const { simulate } = corridor.sandbox.cards
  const { id, cardholderId, currency } = card
  const [text, setText] = useState('12.50')
  const [chosen, setChosen] = useState('')
  const [said, setSaid] = useState<unknown>()
  const payments = useQuery({
    queryKey: ['card-payments', id],
    queryFn: async () => {
      const { data } = await corridor.transactions.list({
        type: 'CARD',
        customerId: cardholderId,
        limit: 100,
      } as never)
      return (data as unknown as readonly CardPayment[]).filter(({ cardId = id }) => cardId === id)
    },
  })
  const merchant = { descriptor: 'CORNER CAFE LISBON', mcc: '5814', country: 'PT' }
  // Cards are in a currency of two decimals.
  const amount = () => toMinorUnits(text.trim(), 2)
  const purchase = () => ({ amount: amount(), currency: { code: currency }, merchant })
  const ofToken = (said as { issuerTransactionToken?: string } | undefined)?.issuerTransactionToken
  const last = payments.data?.find(({ issuerTransactionToken: token }) => token && token === ofToken)
  const cardTransactionId = chosen || last?.id || payments.data?.[0]?.id || ''
  const later = () => ({ cardTransactionId, amount: amount() })
  const tell = (answer: unknown) => {
    setChosen('')
    setSaid(answer)
  }
  const first = [
    ['Authorize', () => simulate.authorization(id, purchase() as never)],
    ['Authorize and clear in one', () => simulate.financialAuthorization(id, purchase() as never)],
    ['Ask to credit', () => simulate.creditAuthorization(id, purchase() as never)],
    ['Credit already decided', () => simulate.creditAuthorizationAdvice(id, purchase() as never)],
    ['Credit in one', () => simulate.financialCreditAuthorization(id, purchase() as never)],
    ['Ask for the balance', () => simulate.balanceInquiry(id, { merchant } as never)],
  ] as const
  const next = [
    ['Change the amount', () => simulate.authorizationAdvice(id, later() as never)],
    ['Clear', () => simulate.clearing(id, later() as never)],
    ['Return', () => simulate.return(id, later() as never)],
    ['Take the return back', () => simulate.returnReversal(id, { cardTransactionId } as never)],
  ] as const
  return (
    <Part title="Play the card network">
      <div className="fields">
        <label>
          <span>Amount in {currency}, as 12.50</span>
          <input
            value={text}
            maxLength={40}
            inputMode="decimal"
            onChange={(event) => setText(event.target.value)}
          />
        </label>
        <label>
          <span>Payment of the card that the second row is about</span>
          <select value={cardTransactionId} onChange={(event) => setChosen(event.target.value)}>
            {payments.data?.length === 0 && <option value="">{words.states.noOptions}</option>}
            {payments.data?.map((payment) => (
              <option key={payment.id} value={payment.id}>
                {shortOf(payment.id)} · {readable(payment.status)}
              </option>
            ))}
          </select>
        </label>
      </div>
      <div className="acts">
        {first.map(([name, run]) => (
          <Act key={name} run={run as () => Promise<unknown>} then={tell}>
            {name}
          </Act>
        ))}
      </div>
      <div className="acts">
        {next.map(([name, run]) => (
          <Act
            key={name}
            isDisabled={cardTransactionId === ''}
            run={run as () => Promise<unknown>}
            then={tell}
          >
            {name}
          </Act>
        ))}
      </div>
      {said !== undefined && (
        <output>
          <pre>{JSON.stringify(said, undefined, 2)}</pre>
        </output>
      )}
    </Part>
  )
}
