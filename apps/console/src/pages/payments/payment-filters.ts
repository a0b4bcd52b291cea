import { t } from '../../language/t.ts'
import type { Filter } from '../../parts/filters.tsx'
import { failures } from '../../words.ts'

/** By what payments are found: parameters of the API, so that an address, a command and a program ask the same. */
export const paymentFilters: readonly Filter[] = [
  {
    name: 'status',
    label: t('Status'),
    options: [
      'CREATED',
      'PENDING',
      'PENDING_AUTHORIZATION',
      'PROCESSING',
      'COMPLETED',
      'REJECTED',
      'FAILED',
      'REFUNDED',
      'EXPIRED',
      'AUTHORIZED',
      'PARTIALLY_SETTLED',
      'SETTLED',
      'EXCEPTION',
    ],
  },
  { name: 'type', label: t('Type'), options: ['INCOMING', 'OUTGOING', 'CARD'] },
  { name: 'customerId', label: t('Customer id') },
  { name: 'accountIdentifier', label: t('Account id or UMA address') },
  { name: 'reference', label: t('Reference') },
  { name: 'startDate', label: t('From'), time: 'FROM' },
  { name: 'endDate', label: t('Until'), time: 'UNTIL' },
  { name: 'isStuck', label: t('Stuck'), options: ['true'], isSeldom: true },
  { name: 'failureReason', label: t('Reason of failure'), options: Object.keys(failures), isSeldom: true },
  { name: 'sentCurrency', label: t('Sent in'), isSeldom: true },
  { name: 'receivedCurrency', label: t('Received in'), isSeldom: true },
  { name: 'minAmount', label: t('From this amount'), isAmount: true, isSeldom: true },
  { name: 'maxAmount', label: t('To this amount'), isAmount: true, isSeldom: true },
  { name: 'paymentRail', label: t('Rail'), isSeldom: true },
  { name: 'updatedAfter', label: t('Changed from'), time: 'FROM', isSeldom: true },
  { name: 'updatedBefore', label: t('Changed until'), time: 'UNTIL', isSeldom: true },
]
