import { useQuery } from '@tanstack/react-query'
import { Go } from '../../app/places.tsx'
import { rich, t } from '../../language/t.ts'
import { shortOf } from '../../parts/facts.tsx'
import { Part } from '../../parts/page.tsx'
import { Loading, Nothing, Trouble } from '../../parts/states.tsx'
import { words } from '../../words.ts'
import { ageOf } from './ages.ts'
import { BySandboxClock, MomentOf } from './book-time.tsx'
import { useNames } from './names.ts'
import { placeOfBook, type StuckRail, useOperator } from './operator-api.ts'
import { placeOfPause } from './pause-form.tsx'
import { expectedOf, useRails } from './rails.ts'

const shown = 3

/** What should be over and is not: on which rail, how many, since when, and which. */
export function Stuck() {
  const { get } = useOperator()
  const nameOf = useNames()
  const rails = useQuery({
    queryKey: ['operator', 'stuck'],
    queryFn: () => get<{ data: readonly StuckRail[] }>('stuck'),
    refetchInterval: 30_000,
  })
  return (
    <Part title={words.operator.stuck}>
      {rails.isPending && <Loading />}
      {rails.isError && <Trouble error={rails.error} onRetry={() => void rails.refetch()} />}
      {rails.data?.data.length === 0 && (
        <Nothing title={t('No stuck payments: all are within the expected time.')} />
      )}
      {rails.data && rails.data.data.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: who has no pointer scrolls it with the keys
        <section className="scroll stacked" aria-label={words.operator.stuck} tabIndex={0}>
          <table>
            <thead>
              <tr>
                <th scope="col">{t('Rail')}</th>
                <th scope="col">{t('Platform')}</th>
                <th scope="col">{t('Payments')}</th>
                <th scope="col">{t('Expected time of the oldest')}</th>
                <th scope="col">{t('The oldest')}</th>
              </tr>
            </thead>
            <tbody>
              {rails.data.data.map((rail) => (
                <tr key={`${rail.platformId} ${rail.environment} ${rail.rail}`}>
                  <td>
                    <strong>{rail.rail}</strong> <Contain rail={rail} />
                  </td>
                  <td>
                    {nameOf(rail)} {rail.environment}
                  </td>
                  <td>
                    <Go to={placeOfStuckOn(rail)}>
                      {t('{count, plural, one {# payment} other {all # payments}}', { count: rail.count })}
                    </Go>
                    {rail.payments.some(({ reason }) => reason === 'GIVEN_UP') && (
                      <>
                        {', '}
                        <Go to="jobs">{t('some given up')}</Go>
                      </>
                    )}
                    {rail.payments.some(({ reason }) => reason === 'PAUSED') && (
                      <>
                        {', '}
                        <Go to="rails">{t('some wait because of a pause')}</Go>
                      </>
                    )}
                    {rail.payments.some(({ reason }) => reason === 'UNWATCHED') &&
                      t(', no response from the bank for some collections')}
                  </td>
                  <td data-of={t('Expected time of the oldest')}>
                    {rich('<at></at>, {late} late', {
                      at: () => <MomentOf key="at" book={rail} at={rail.payments[0]?.expectedAt} />,
                      late: ageOf(rail.payments[0]?.lateSeconds ?? 0),
                    })}
                  </td>
                  <td data-of={t('The oldest')}>
                    <span className="acts">
                      {rail.payments.slice(0, shown).map(({ id }) => (
                        <Go
                          key={id}
                          className="id"
                          title={id}
                          to={`${placeOfBook(rail)}/payments/${encodeURIComponent(id)}`}
                        >
                          {shortOf(id)}
                        </Go>
                      ))}
                    </span>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
      <BySandboxClock of={rails.data?.data ?? []} />
    </Part>
  )
}

/** All that is stuck on a rail, in the list of its platform; what waits between two accounts here has no rail to look for. */
function placeOfStuckOn({ rail, ...book }: StuckRail): string {
  const on = rail === 'INTERNAL' ? '' : `&paymentRail=${encodeURIComponent(rail)}`
  return `${placeOfBook(book)}/payments?isStuck=true${on}`
}

/** What can be done at once, or what was done already; a rail of ours is no rail that could be paused. */
function Contain({ rail: { environment, rail } }: { readonly rail: StuckRail }) {
  const rails = useRails()
  const known = rails.data?.data.find((each) => each.environment === environment && each.rail === rail)
  if (!known) return null
  if (known.pauses.some(({ platformId }) => platformId === undefined)) {
    return <Go to="rails">{t('Paused')}</Go>
  }
  return (
    <Go to={placeOfPause(environment, rail)} title={t('Expected: {time}', { time: expectedOf(known) })}>
      {t('Pause payouts on {rail}…', { rail })}
    </Go>
  )
}
