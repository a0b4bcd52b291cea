import { useView } from '../../app/places.tsx'
import { t } from '../../language/t.ts'
import { Empty } from '../../parts/empty.tsx'
import { Id } from '../../parts/facts.tsx'
import { Filters, filtersOf } from '../../parts/filters.tsx'
import { PageHead } from '../../parts/page.tsx'
import { Rows } from '../../parts/rows.tsx'
import { words } from '../../words.ts'
import { type Receivable, receivableColumns, receivableFilters } from '../receivables/receivable-columns.tsx'
import { OfBook } from './of-book.tsx'
import { type Book, useOperator } from './operator-api.ts'

/** Receivables of one platform at a time. A row leads to its page at the platform, where operators can collect it. */
export function OperatorReceivablesPage() {
  return (
    <>
      <PageHead title={words.operator.receivables} />
      <OfBook>{(book) => <Receivables key={`${book.platformId} ${book.environment}`} of={book} />}</OfBook>
    </>
  )
}

function Receivables({ of }: { readonly of: Book }) {
  const { page } = useOperator()
  const [view] = useView()
  const query = filtersOf(view, receivableFilters)
  return (
    <>
      <Filters of={receivableFilters} />
      <Rows<Receivable>
        label={words.operator.receivables}
        list={['operator', 'receivables', of, query]}
        read={(cursor) => page<Receivable>('receivables', cursor, { ...of, ...query })}
        columns={receivableColumns(({ customerId }) =>
          customerId ? <Id id={customerId} short /> : t('The platform'),
        )}
        keyOf={({ id }) => id}
        to={({ id }) => `receivables/${encodeURIComponent(id)}`}
        empty={
          <Empty
            title={t('No receivables: no customer of this platform owes anything.')}
            filters={receivableFilters}
            find={(others) => page<Receivable>('receivables', undefined, { ...of, ...others, limit: 1 })}
          />
        }
      />
    </>
  )
}
