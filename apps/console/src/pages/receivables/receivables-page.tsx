import { Go, useView } from '../../app/places.tsx'
import { useSession } from '../../app/session.tsx'
import { t } from '../../language/t.ts'
import { Empty } from '../../parts/empty.tsx'
import { Filters, filtersOf } from '../../parts/filters.tsx'
import { NameOf } from '../../parts/names.tsx'
import { PageHead, Part } from '../../parts/page.tsx'
import { Rows } from '../../parts/rows.tsx'
import { Nothing } from '../../parts/states.tsx'
import { words } from '../../words.ts'
import { page } from '../resources/detail.tsx'
import { type Receivable, receivableColumns, receivableFilters } from './receivable-columns.tsx'

const placeOfOne = ({ id }: Receivable) => `receivables/${encodeURIComponent(id)}`

/** Amounts that customers and the platform owe, for example after a bank took a collection back. */
export function ReceivablesPage() {
  const { corridor, environment } = useSession()
  const [view] = useView()
  const query = filtersOf(view, receivableFilters)
  return (
    <>
      <PageHead title={words.pages.receivables} />
      <Filters of={receivableFilters} />
      <Rows<Receivable>
        label={words.pages.receivables}
        list={['receivables', query]}
        read={(cursor) => corridor.receivables.list(page(cursor, query))}
        columns={receivableColumns(({ customerId }) =>
          customerId ? <NameOf id={customerId} /> : t('The platform'),
        )}
        keyOf={({ id }) => id}
        to={placeOfOne}
        empty={
          <Empty
            title={t('No receivables: no customer owes anything, and neither does the platform.')}
            filters={receivableFilters}
            find={(others) => corridor.receivables.list(page(undefined, others))}
            cli="corridor receivables list"
          >
            {environment === 'sandbox' && (
              <Go className="main" to="sandbox/faults">
                {t('Let a bank return a collection')}
              </Go>
            )}
          </Empty>
        }
      />
    </>
  )
}

/** Receivables of one customer. */
export function ReceivablesOf({ customer }: { readonly customer: string }) {
  const { corridor } = useSession()
  return (
    <Part title={words.pages.receivables}>
      <Rows<Receivable>
        label={t('Receivables of the customer')}
        list={['receivables-of', customer]}
        read={(cursor) => corridor.receivables.list(page(cursor, { customerId: customer }))}
        columns={receivableColumns()}
        keyOf={({ id }) => id}
        to={placeOfOne}
        empty={<Nothing title={t('The customer owes nothing.')} />}
      />
    </Part>
  )
}
