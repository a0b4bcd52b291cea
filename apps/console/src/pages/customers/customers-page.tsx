import { useView } from '../../app/places.tsx'
import { useSession } from '../../app/session.tsx'
import { t } from '../../language/t.ts'
import { Empty } from '../../parts/empty.tsx'
import { Moment } from '../../parts/facts.tsx'
import { type Filter, Filters, filtersOf } from '../../parts/filters.tsx'
import { type Customer, nameOf } from '../../parts/names.tsx'
import { PageHead } from '../../parts/page.tsx'
import { Rows } from '../../parts/rows.tsx'
import { Status } from '../../parts/status.tsx'
import { words } from '../../words.ts'
import { NewCustomers } from './new-customers.tsx'

const identityStatuses = ['UNVERIFIED', 'PENDING', 'APPROVED', 'REJECTED', 'HOLD']
const filters: readonly Filter[] = [
  { name: 'platformCustomerId', label: t('Your own id') },
  { name: 'customerType', label: t('Type'), options: ['INDIVIDUAL', 'BUSINESS'] },
  { name: 'kycStatus', label: t('Identity of people'), options: identityStatuses },
  { name: 'kybStatus', label: t('Identity of businesses'), options: identityStatuses },
  { name: 'email', label: t('E-mail') },
  { name: 'region', label: t('Country') },
  { name: 'currency', label: t('Currency') },
  { name: 'umaAddress', label: t('UMA address') },
  { name: 'isIncludingDeleted', label: t('Deleted too'), options: ['true'], otherwise: t('No') },
]

export function CustomersPage() {
  const { corridor } = useSession()
  const [view] = useView()
  const query = filtersOf(view, filters)
  return (
    <>
      <PageHead title={words.pages.customers} />
      <NewCustomers />
      <Filters of={filters} />
      <Rows<Customer>
        label={words.pages.customers}
        list={['customers', query]}
        read={(cursor) =>
          corridor.customers.list({ ...query, limit: 100, ...(cursor ? { cursor } : {}) } as never)
        }
        columns={[
          { title: t('Name'), cell: nameOf },
          { title: t('Type'), isWide: true, cell: ({ customerType }) => customerType },
          { title: t('Region'), isWide: true, cell: ({ region }) => region ?? '—' },
          { title: t('Currencies'), isWide: true, cell: ({ currencies }) => currencies.join(' ') },
          {
            title: t('Created'),
            isWide: true,
            width: 'moment',
            cell: ({ createdAt }) => <Moment at={createdAt} short />,
          },
          // The last one stands on the first line of a phone.
          { title: t('Identity'), cell: (customer) => <Status status={identityOf(customer)} /> },
        ]}
        keyOf={({ id }) => id}
        to={({ id }) => `customers/${encodeURIComponent(id)}`}
        empty={
          <Empty
            title={t('No customers yet.')}
            filters={filters}
            find={(others) => corridor.customers.list({ ...others, limit: 1 } as never)}
            cli="corridor customers create"
          />
        }
      />
    </>
  )
}

export function identityOf(customer: Customer): string {
  return customer.customerType === 'BUSINESS' ? customer.kybStatus : customer.kycStatus
}
