import { Corridor } from '@corridor/sdk/index.ts'
import { useQuery } from '@tanstack/react-query'
import { useEveryMs } from '../../app/live/live.tsx'
import { Go } from '../../app/places.tsx'
import { useSession } from '../../app/session.tsx'
import { rich, t } from '../../language/t.ts'
import { Moment, textOf } from '../../parts/facts.tsx'
import { Trouble } from '../../parts/states.tsx'

const most = 5

/** Quotes that nobody has executed yet, over the payments that they may become. */
export function OpenQuotes({ customerId }: { readonly customerId: string | undefined }) {
  const { corridor } = useSession()
  const every = useEveryMs()
  const open = useQuery({
    queryKey: ['open quotes', customerId],
    queryFn: async () =>
      await corridor.quotes.list({ limit: most, ...(customerId ? { customerId } : {}) } as never),
    refetchInterval: every(5_000),
    retry: false,
  })
  const { data = [], totalCount = 0 } = open.data ?? {}
  // Whoever may not see quotes has a list of payments all the same.
  const mayNot = open.error instanceof Corridor.Error && open.error.status === 403
  if (open.isError && !open.data && !mayNot)
    return <Trouble error={open.error} onRetry={() => void open.refetch()} />
  if (data.length === 0) return null
  const left = totalCount - data.length
  return (
    <section className="open-quotes" aria-label={t('Open quotes')}>
      <h2>{t('{count, plural, one {One open quote} other {# open quotes}}', { count: totalCount })}</h2>
      <ul>
        {data.map((quote) => (
          <li key={quote.id}>
            <Go to={`quotes/${encodeURIComponent(quote.id)}`}>
              {textOf({ amount: quote.totalSendingAmount, currency: quote.sendingCurrency })} →{' '}
              {textOf({ amount: quote.totalReceivingAmount, currency: quote.receivingCurrency })}
            </Go>{' '}
            <span className="muted">
              {rich('holds until <at></at>', { at: () => <Moment at={quote.expiresAt} short /> })}
            </span>
          </li>
        ))}
        {left > 0 && <li className="muted">{t('and {left} more', { left })}</li>}
      </ul>
    </section>
  )
}
