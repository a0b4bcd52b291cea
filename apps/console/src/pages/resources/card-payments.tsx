import type { Corridor } from '@corridor/sdk/index.ts'
import type { Amount } from '@corridor/sdk/money.ts'
import { useSession } from '../../app/session.tsx'
import { t } from '../../language/t.ts'
import { amountOf, Moment } from '../../parts/facts.tsx'
import { Part } from '../../parts/page.tsx'
import { Rows } from '../../parts/rows.tsx'
import { Nothing } from '../../parts/states.tsx'
import { Status } from '../../parts/status.tsx'
import type { Card } from './cards-pages.tsx'
import { whole } from './detail.tsx'

/** What the API tells of a payment with a card, as far as these pages need it. */
export interface CardPayment {
  readonly id: string
  readonly cardId?: string
  readonly status: string
  readonly issuerTransactionToken?: string
  readonly merchant: { readonly descriptor?: string }
  readonly authorizedAmount: Amount
  readonly settledAmount?: Amount
  readonly refundedAmount?: Amount
  readonly createdAt: string
}

/** The last payments with a card: of all of its cardholder the API gives the last hundred. */
export async function cardPaymentsOf(
  corridor: Corridor,
  { id, cardholderId }: Card,
): Promise<readonly CardPayment[]> {
  const query = { type: 'CARD', customerId: cardholderId, limit: 100 }
  const { data } = await corridor.transactions.list(query as never)
  return (data as unknown as readonly CardPayment[]).filter(({ cardId = id }) => cardId === id)
}

/** What was paid with a card, and how far each payment is. */
export function CardPayments({ card }: { readonly card: Card }) {
  const { corridor } = useSession()
  return (
    <Part title={t('Payments of the card')}>
      <Rows<CardPayment>
        label={t('Payments of the card')}
        list={['card-payments', card.id]}
        read={() => whole(cardPaymentsOf(corridor, card).then((data) => ({ data })))}
        columns={[
          {
            title: t('Created'),
            width: 'moment',
            cell: ({ createdAt }) => <Moment at={createdAt} short />,
          },
          { title: t('Merchant'), isWide: true, cell: ({ merchant }) => merchant.descriptor ?? '—' },
          {
            title: t('Authorized'),
            isAmount: true,
            cell: ({ authorizedAmount }) => amountOf(authorizedAmount),
          },
          {
            title: t('Claimed'),
            isAmount: true,
            isWide: true,
            cell: ({ settledAmount }) => amountOf(settledAmount),
          },
          {
            title: t('Returned'),
            isAmount: true,
            isWide: true,
            cell: ({ refundedAmount }) => amountOf(refundedAmount),
          },
          { title: t('Status'), cell: ({ status }) => <Status status={status} /> },
        ]}
        keyOf={({ id }) => id}
        to={({ id }) => `payments/${encodeURIComponent(id)}`}
        empty={<Nothing title={t('No payments with this card yet.')} />}
      />
    </Part>
  )
}
