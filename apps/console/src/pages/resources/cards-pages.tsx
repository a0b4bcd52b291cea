import type { Item } from '@corridor/sdk/index.ts'
import { toMinorUnits } from '@corridor/sdk/money.ts'
import { useState } from 'react'
import { usePlaces } from '../../app/places.tsx'
import { useSession } from '../../app/session.tsx'
import { t } from '../../language/t.ts'
import { Act } from '../../parts/act.tsx'
import { amountOf, Id, Moment, Money } from '../../parts/facts.tsx'
import { NameOf, Owner } from '../../parts/names.tsx'
import { PageHead, Part } from '../../parts/page.tsx'
import { Rows } from '../../parts/rows.tsx'
import { Nothing } from '../../parts/states.tsx'
import { Status } from '../../parts/status.tsx'
import { words } from '../../words.ts'
import { CardPayments } from './card-payments.tsx'
import { CardSimulator } from './card-simulator.tsx'
import { cardForms, cardReasons, wordOf } from './codes.ts'
import { Detail, page } from './detail.tsx'
import { makeCard } from './samples.ts'

export type Card = Item<'listCards'>

/** Cards are in a currency of two decimals. */
export const currencyOf = ({ currency }: Card) => ({ code: currency ?? 'USD', decimals: 2 })

const nameOf = ({ brand, last4 }: Card) => `${brand ?? t('Card')} …${last4 ?? '????'}`

const limitOf = (card: Card) =>
  card.maxSpendPerTransaction === null
    ? undefined
    : { amount: card.maxSpendPerTransaction, currency: currencyOf(card) }

export function CardsPage() {
  const { corridor, environment } = useSession()
  const { go } = usePlaces()
  return (
    <>
      <PageHead title={words.pages.cards} />
      <Rows<Card>
        label={t('Cards')}
        list={['cards']}
        read={(cursor) => corridor.cards.list(page(cursor))}
        columns={[
          { title: t('Card'), cell: nameOf },
          { title: t('Form'), isWide: true, cell: ({ form }) => wordOf(cardForms, form) },
          {
            title: t('Cardholder'),
            isWide: true,
            cell: ({ cardholderId }) => <NameOf id={cardholderId} />,
          },
          { title: t('Limit'), isAmount: true, isExtra: true, cell: (card) => amountOf(limitOf(card)) },
          {
            title: t('Created'),
            isWide: true,
            width: 'moment',
            cell: ({ createdAt }) => <Moment at={createdAt} short />,
          },
          { title: t('Status'), cell: ({ state }) => <Status status={state} /> },
        ]}
        keyOf={({ id }) => id}
        to={({ id }) => `cards/${encodeURIComponent(id)}`}
        empty={
          <Nothing title={t('No cards have been issued yet.')} cli="corridor cards create">
            {environment === 'sandbox' && (
              <Act run={() => makeCard(corridor)} then={(id) => go(`cards/${encodeURIComponent(id)}`)}>
                {t('Issue a card')}
              </Act>
            )}
          </Nothing>
        }
      />
    </>
  )
}

export function CardPage() {
  const { corridor, environment } = useSession()
  return (
    <Detail<Card>
      kind="card"
      read={(id) => corridor.cards.get(id)}
      path="cards"
      titleOf={nameOf}
      facts={(card) => [
        [t('Why it is so'), card.stateReason && wordOf(cardReasons, card.stateReason)],
        [t('Form'), wordOf(cardForms, card.form)],
        [t('Cardholder'), <Owner key="h" id={card.cardholderId} />],
        [
          t('Paid from'),
          card.fundingSources.length > 0 && (
            <ul key="f">
              {card.fundingSources.map((id) => (
                <li key={id}>
                  <Id id={id} />
                </li>
              ))}
            </ul>
          ),
        ],
        [t('Limit of a payment'), limitOf(card) ? <Money key="l" of={limitOf(card)} /> : t('none')],
        [
          t('Valid until'),
          card.expYear !== undefined && `${String(card.expMonth).padStart(2, '0')}/${card.expYear}`,
        ],
        [t('Your own id'), card.platformCardId],
      ]}
      acts={(card) => <CardActs card={card} />}
      statusOf={({ state }) => state}
      machine="card"
      parts={(card) => (
        <>
          {card.state !== 'CLOSED' && <Limit key={String(card.maxSpendPerTransaction)} card={card} />}
          {environment === 'sandbox' && <CardSimulator card={card} />}
          <CardPayments card={card} />
        </>
      )}
    />
  )
}

function CardActs({ card }: { readonly card: Card }) {
  const { corridor } = useSession()
  const { id, state } = card
  const change = (to: 'ACTIVE' | 'FROZEN' | 'CLOSED') => corridor.cards.update(id, { state: to } as never)
  return (
    <>
      {state === 'ACTIVE' && (
        <Act asks={t('Freeze {card}', { card: nameOf(card) })} run={() => change('FROZEN')}>
          {t('Freeze')}
        </Act>
      )}
      {state === 'FROZEN' && (
        <Act asks={t('Unfreeze {card}', { card: nameOf(card) })} run={() => change('ACTIVE')}>
          {t('Unfreeze')}
        </Act>
      )}
      {(state === 'ACTIVE' || state === 'FROZEN') && (
        <Act confirm={t('Close {card} for good', { card: nameOf(card) })} run={() => change('CLOSED')}>
          {t('Close')}
        </Act>
      )}
    </>
  )
}

/** The largest single payment that is approved. */
function Limit({ card }: { readonly card: Card }) {
  const { corridor } = useSession()
  const [text, setText] = useState('')
  const { code, decimals } = currencyOf(card)
  const set = (maxSpendPerTransaction: number | null) =>
    corridor.cards.update(card.id, { maxSpendPerTransaction } as never)
  return (
    <Part title={t('Limit')}>
      <div className="fields">
        <label>
          <span>{t('Maximum per payment, in {currency}', { currency: code })}</span>
          <input
            name="maxSpendPerTransaction"
            value={text}
            maxLength={40}
            inputMode="decimal"
            onChange={(event) => setText(event.target.value)}
          />
        </label>
        <Act
          asks={t('Limit {card} to {amount} {currency} per payment', {
            card: nameOf(card),
            amount: text.trim(),
            currency: code,
          })}
          isDisabled={text.trim() === ''}
          run={async () => set(toMinorUnits(text.trim(), decimals))}
        >
          {t('Set the limit')}
        </Act>
        {card.maxSpendPerTransaction !== null && (
          <Act asks={t('Remove the limit of {card}', { card: nameOf(card) })} run={() => set(null)}>
            {t('Take it away')}
          </Act>
        )}
      </div>
    </Part>
  )
}
