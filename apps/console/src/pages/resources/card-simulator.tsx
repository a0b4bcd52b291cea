import { toMinorUnits } from '@corridor/sdk/money.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useSession } from '../../app/session.tsx'
import { t } from '../../language/t.ts'
import { Act } from '../../parts/act.tsx'
import { Id, shortOf, textOf } from '../../parts/facts.tsx'
import { Part } from '../../parts/page.tsx'
import { StatePicture } from '../../parts/state-picture/state-picture.tsx'
import { readable, Status } from '../../parts/status.tsx'
import { words } from '../../words.ts'
import { cardPaymentsOf } from './card-payments.tsx'
import { type Card, currencyOf } from './cards-pages.tsx'

/** What the network was told last: which message, and what the sandbox answered. */
interface Said {
  readonly message: string
  readonly issuerTransactionToken: string
  /** Whether it leaves a payment, if it is approved. */
  readonly leavesPayment: boolean
}

/** Ends of the name of a merchant, and what they bring about (the guide to the sandbox). */
const endings = [
  ['', t('Decided by the card and its account')],
  ['002', t('declined: not enough money')],
  ['003', t('declined: the card is paused')],
  ['005', t('the charge is confirmed half a minute later')],
  ['006', t('the charge fails later')],
  ['102', t('a charge above the authorization fails')],
  ['105', t('a charge above the authorization is slow')],
  ['106', t('a charge above the authorization fails later')],
] as const

/** The ten messages that a card network sends, as the sandbox plays them. */
export function CardSimulator({ card }: { readonly card: Card }) {
  const { corridor } = useSession()
  const { simulate } = corridor.sandbox.cards
  const { id } = card
  const currency = currencyOf(card)
  const [text, setText] = useState('12.50')
  const [ending, setEnding] = useState('')
  const [chosen, setChosen] = useState('')
  const [said, setSaid] = useState<Said>()
  const payments = useQuery({
    queryKey: ['card-payments', id],
    queryFn: () => cardPaymentsOf(corridor, card),
  })
  const merchant = { descriptor: `CORNER CAFE LISBON ${ending}`.trim(), mcc: '5814', country: 'PT' }
  const amount = () => toMinorUnits(text.trim(), currency.decimals)
  const purchase = () => ({ amount: amount(), currency: { code: currency.code }, merchant }) as never
  const last = payments.data?.find(
    ({ issuerTransactionToken: token }) => token && token === said?.issuerTransactionToken,
  )
  const cardTransactionId = chosen || last?.id || payments.data?.[0]?.id || ''
  const current = payments.data?.find((payment) => payment.id === cardTransactionId)
  const later = () => ({ cardTransactionId, amount: amount() }) as never
  const first = [
    [t('Authorize'), true, () => simulate.authorization(id, purchase())],
    [t('Authorize and clear in one'), true, () => simulate.financialAuthorization(id, purchase())],
    [t('Ask to credit'), true, () => simulate.creditAuthorization(id, purchase())],
    [t('Send a credit advice'), true, () => simulate.creditAuthorizationAdvice(id, purchase())],
    [t('Credit in one'), true, () => simulate.financialCreditAuthorization(id, purchase())],
    [t('Ask for the balance'), false, () => simulate.balanceInquiry(id, { merchant } as never)],
  ] as const
  const next = [
    [t('Change the amount'), () => simulate.authorizationAdvice(id, later())],
    [t('Clear'), () => simulate.clearing(id, later())],
    [t('Return'), () => simulate.return(id, later())],
    [t('Reverse the return'), () => simulate.returnReversal(id, { cardTransactionId } as never)],
  ] as const
  const tell = (message: string, leavesPayment: boolean) => (answer: object) => {
    const { issuerTransactionToken } = answer as Said
    if (leavesPayment) setChosen('')
    setSaid({ message, issuerTransactionToken, leavesPayment })
  }
  return (
    <Part title={t('Simulate the card network')}>
      <div className="fields">
        <label>
          <span>{t('Amount in {currency}, as 12.50', { currency: currency.code })}</span>
          <input
            name="amount"
            value={text}
            maxLength={40}
            inputMode="decimal"
            onChange={(event) => setText(event.target.value)}
          />
        </label>
        <label>
          <span>{t('Outcome, by the ending of the merchant’s name')}</span>
          <select value={ending} onChange={(event) => setEnding(event.target.value)}>
            {endings.map(([value, name]) => (
              <option key={value} value={value}>
                {value === '' ? name : `${value}: ${name}`}
              </option>
            ))}
          </select>
        </label>
      </div>
      <div className="acts">
        {first.map(([name, leavesPayment, run]) => (
          <Act key={name} run={run as () => Promise<object>} then={tell(name, leavesPayment)}>
            {name}
          </Act>
        ))}
      </div>
      <div className="fields pick under">
        <label>
          <span>{t('Card payment for the actions below')}</span>
          <select value={cardTransactionId} onChange={(event) => setChosen(event.target.value)}>
            {payments.data?.length === 0 && <option value="">{words.states.noOptions}</option>}
            {payments.data?.map((payment) => (
              <option key={payment.id} value={payment.id}>
                {textOf(payment.authorizedAmount)} · {readable(payment.status)} · {shortOf(payment.id)}
              </option>
            ))}
          </select>
        </label>
      </div>
      <div className="acts">
        {next.map(([name, run]) => (
          <Act
            key={name}
            isDisabled={cardTransactionId === ''}
            run={run as () => Promise<object>}
            then={tell(name, false)}
          >
            {name}
          </Act>
        ))}
      </div>
      <div role="status" className="said">
        {said && (
          <p className={`story ${said.leavesPayment && !last ? 'wait' : 'ok'}`}>
            {t('{message}: the network received the response.', { message: said.message })}{' '}
            {last ? (
              <>
                <Id id={last.id} short /> <Status status={last.status} />
              </>
            ) : (
              said.leavesPayment && t('It left no payment: it was declined.')
            )}{' '}
            <span className="muted">
              issuerTransactionToken <code>{said.issuerTransactionToken}</code>
            </span>
          </p>
        )}
      </div>
      {current && (
        <StatePicture
          of="card transaction"
          now={current.status}
          title={t('States of the payment that was chosen')}
        />
      )}
    </Part>
  )
}
