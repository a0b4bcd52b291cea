import type { Item } from '@corridor/sdk/index.ts'
import { useView } from '../../app/places.tsx'
import { useSession } from '../../app/session.tsx'
import { Empty } from '../../parts/empty.tsx'
import { Moment } from '../../parts/facts.tsx'
import { type Filter, Filters, filtersOf } from '../../parts/filters.tsx'
import { PageHead } from '../../parts/page.tsx'
import { Rows } from '../../parts/rows.tsx'
import { Status } from '../../parts/status.tsx'
import { words } from '../../words.ts'

export type Customer = Item<'listCustomers'>

const filters: readonly Filter[] = [
  { name: 'platformCustomerId', label: 'Your own id' },
  { name: 'customerType', label: 'Type', options: ['INDIVIDUAL', 'BUSINESS'] },
]

export function nameOf(customer: Customer): string {
  if (customer.customerType === 'BUSINESS') return customer.businessInfo.legalName
  return (customer as { fullName?: string }).fullName ?? customer.platformCustomerId
}

export function CustomersPage() {
  const { corridor } = useSession()
  const [view] = useView()
  const query = filtersOf(view, filters)
  return (
    <>
      <PageHead title={words.pages.customers} />
      <Filters of={filters} />
      <Rows<Customer>
        label="Customers"
        list={['customers', query]}
        read={(cursor) =>
          corridor.customers.list({ ...query, limit: 100, ...(cursor ? { cursor } : {}) } as never)
        }
        columns={[
          { title: 'Name', cell: nameOf },
          { title: 'Type', isWide: true, cell: ({ customerType }) => customerType },
          { title: 'Region', isWide: true, cell: ({ region }) => region ?? '—' },
          { title: 'Currencies', isWide: true, cell: ({ currencies }) => currencies.join(' ') },
          { title: 'Identity', cell: (customer) => <Status status={identityOf(customer)} /> },
          {
            title: 'Created',
            isWide: true,
            width: 'moment',
            cell: ({ createdAt }) => <Moment at={createdAt} short />,
          },
        ]}
        keyOf={({ id }) => id}
        to={({ id }) => `customers/${encodeURIComponent(id)}`}
        empty={
          <Empty
            title="No customers yet."
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
