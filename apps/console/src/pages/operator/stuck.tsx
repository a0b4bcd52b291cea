import { useQuery } from '@tanstack/react-query'
import { Go } from '../../app/places.tsx'
import { Moment, shortOf } from '../../parts/facts.tsx'
import { Part } from '../../parts/page.tsx'
import { Loading, Nothing, Trouble } from '../../parts/states.tsx'
import { words } from '../../words.ts'
import { useNames } from './names.ts'
import { placeOfBook, type StuckRail, useOperator } from './operator-api.ts'

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
        <Nothing title="Nothing is stuck: every payment is within its time." />
      )}
      {rails.data && rails.data.data.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: who has no pointer scrolls it with the keys
        <section className="scroll" aria-label={words.operator.stuck} tabIndex={0}>
          <table>
            <thead>
              <tr>
                <th scope="col">Rail</th>
                <th scope="col">Platform</th>
                <th scope="col">Payments</th>
                <th scope="col">Expected, of the oldest</th>
                <th scope="col">The oldest</th>
              </tr>
            </thead>
            <tbody>
              {rails.data.data.map((rail) => (
                <tr key={`${rail.platformId} ${rail.environment} ${rail.rail}`}>
                  <td>
                    <strong>{rail.rail}</strong>
                  </td>
                  <td>
                    {nameOf(rail)} {rail.environment}
                  </td>
                  <td>
                    {rail.count}
                    {rail.payments.some(({ reason }) => reason === 'GIVEN_UP') && (
                      <>
                        {', '}
                        <Go to="jobs">some given up</Go>
                      </>
                    )}
                  </td>
                  <td>
                    <Moment at={rail.payments[0]?.expectedAt} short />,{' '}
                    {ageOf(rail.payments[0]?.lateSeconds ?? 0)} late
                  </td>
                  <td>
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
    </Part>
  )
}

/** `5_400` → `90 min`: the largest unit of which there are at least two. */
export function ageOf(seconds: number): string {
  const units: readonly (readonly [number, string])[] = [
    [86_400, 'd'],
    [3_600, 'h'],
    [60, 'min'],
  ]
  for (const [size, name] of units) if (seconds >= 2 * size) return `${Math.floor(seconds / size)} ${name}`
  return `${Math.max(0, Math.floor(seconds))} s`
}
