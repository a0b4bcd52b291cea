import type { Item } from '@corridor/sdk/index.ts'
import type { ReactNode } from 'react'
import { useTime } from '../../app/time.tsx'
import { t } from '../../language/t.ts'
import type { Column } from '../../parts/columns.tsx'
import { amountOf, Id, Moment } from '../../parts/facts.tsx'
import type { Filter } from '../../parts/filters.tsx'
import { Status } from '../../parts/status.tsx'
import { ageOf } from '../operator/ages.ts'
import { wordOf } from '../resources/codes.ts'

export type Receivable = Item<'listReceivables'>

/** Labels for the causes of a receivable. */
export const causes: Readonly<Record<string, string>> = {
  COLLECTION_RETURNED: t('Returned collection'),
  PAYOUT_RETURNED: t('Fee of a returned payout'),
  CARD_CLEARING: t('Card clearing, account frozen'),
  CARD_RETURN_REVERSED: t('Reversed card return, account frozen'),
}

export const receivableFilters: readonly Filter[] = [
  { name: 'status', label: t('Status'), options: ['OPEN', 'SETTLED', 'WRITTEN_OFF'] },
  { name: 'cause', label: t('Cause'), options: Object.keys(causes) },
  { name: 'currency', label: t('Currency') },
  { name: 'customerId', label: t('Customer id') },
  { name: 'transactionId', label: t('Transaction id') },
]

/** The columns of a list. `ownerOf` shows whose debt it is; a list of one owner has no such column. */
export function receivableColumns(ownerOf?: (receivable: Receivable) => ReactNode): Column<Receivable>[] {
  return [
    { title: t('Created'), width: 'moment', cell: ({ createdAt }) => <Moment at={createdAt} short /> },
    ...(ownerOf ? [{ title: t('Owner'), isWide: true, cell: ownerOf }] : []),
    {
      title: t('Owed'),
      isAmount: true,
      isWide: true,
      width: 'digits',
      cell: ({ amount }) => amountOf(amount),
    },
    {
      title: t('Left to pay'),
      isAmount: true,
      width: 'digits',
      cell: ({ remainingAmount }) => amountOf(remainingAmount),
    },
    { title: t('Cause'), isWide: true, cell: ({ cause }) => wordOf(causes, cause) },
    {
      title: t('Transaction'),
      isWide: true,
      isExtra: true,
      width: 'end',
      cell: ({ transactionId }) => <Id id={transactionId} short="end" />,
    },
    { title: t('Open for'), isNamed: true, isWide: true, width: 'end', cell: ageOfOpen },
    { title: t('Status'), cell: ({ status }) => <Status status={status} /> },
  ]
}

const ageOfOpen = ({ status, createdAt }: Receivable) => (status === 'OPEN' ? <Age since={createdAt} /> : '—')

/** Time since a moment by the clock of the platform. */
export function Age({ since }: { readonly since: string }) {
  const { nowMs } = useTime()
  return ageOf((nowMs - Date.parse(since)) / 1_000)
}
