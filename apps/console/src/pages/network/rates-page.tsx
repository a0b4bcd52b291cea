import type { Item } from '@corridor/sdk/index.ts'
import { useView } from '../../app/places.tsx'
import { useSession } from '../../app/session.tsx'
import { t } from '../../language/t.ts'
import { Empty } from '../../parts/empty.tsx'
import { Moment } from '../../parts/facts.tsx'
import { type Filter, Filters, filtersOf } from '../../parts/filters.tsx'
import { PageHead } from '../../parts/page.tsx'
import { Rows } from '../../parts/rows.tsx'
import { words } from '../../words.ts'
import { whole } from '../resources/detail.tsx'

type Rate = Item<'getExchangeRates'>

const filters: readonly Filter[] = [
  { name: 'sourceCurrency', label: t('From') },
  { name: 'destinationCurrency', label: t('To') },
]

/** Indicative rates, as the API gives them. */
export function RatesPage() {
  const { corridor } = useSession()
  const [view] = useView()
  const query = filtersOf(view, filters)
  return (
    <>
      <PageHead title={words.pages.rates} />
      <Filters of={filters} />
      <Rows<Rate>
        label={t('Exchange rates')}
        list={['rates', query]}
        read={() => whole(corridor.exchangeRates.list(query as never))}
        columns={[
          { title: t('From'), isNamed: true, cell: ({ sourceCurrency }) => sourceCurrency.code },
          { title: t('To'), isNamed: true, cell: ({ destinationCurrency }) => destinationCurrency.code },
          {
            title: t('Rail'),
            isNamed: true,
            isWide: true,
            cell: ({ destinationPaymentRail: rail }) => rail ?? '—',
          },
          {
            title: t('As of'),
            isWide: true,
            width: 'moment',
            cell: ({ updatedAt }) => <Moment at={updatedAt} short />,
          },
          // Those of quotes and payments are without them.
          {
            title: t('Sent for one received, fees included'),
            isAmount: true,
            isNamed: true,
            width: 'rate',
            cell: ({ exchangeRate }) => exchangeRate,
          },
        ]}
        keyOf={(rate) => JSON.stringify(rate)}
        to={() => undefined}
        empty={
          <Empty
            title={t('There are no rates.')}
            filters={filters}
            find={(others) => corridor.exchangeRates.list(others as never)}
            cli="corridor exchange-rates list"
          />
        }
      />
    </>
  )
}
