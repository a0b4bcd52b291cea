import { useQuery } from '@tanstack/react-query'
import { Go } from '../../app/places.tsx'
import { rich, t } from '../../language/t.ts'
import { Loading, Trouble } from '../../parts/states.tsx'
import { ageOf } from './ages.ts'
import { BySandboxClock, MomentOf } from './book-time.tsx'
import { useNames } from './names.ts'
import { withBook } from './of-book.tsx'
import { type EndpointHealth, useOperator } from './operator-api.ts'

/** Platforms whose endpoint does not take everything at once, those that fail first. */
export function useEndpoints() {
  const { get } = useOperator()
  return useQuery({
    queryKey: ['operator', 'endpoints'],
    queryFn: () => get<{ data: readonly EndpointHealth[] }>('endpoints'),
    refetchInterval: 15_000,
  })
}

/** What was not delivered of each platform, since when, and the way to it. */
export function Failing() {
  const endpoints = useEndpoints()
  if (endpoints.isPending) return <Loading />
  if (!endpoints.data) return <Trouble error={endpoints.error} onRetry={() => void endpoints.refetch()} />
  const { data } = endpoints.data
  if (data.length === 0) return <p>{t('Endpoints took every event: none waits, and none was given up.')}</p>
  return (
    <>
      <ul className="steps">
        {data.map((each) => (
          <li key={`${each.platformId} ${each.environment}`}>
            <OneEndpoint of={each} />
          </li>
        ))}
      </ul>
      <BySandboxClock of={data} />
    </>
  )
}

function OneEndpoint({ of }: { readonly of: EndpointHealth }) {
  const name = useNames()(of)
  const { environment, waiting, givenUp, oldestAt, oldestSeconds = 0, lastStatus, lastError } = of
  const to = withBook('events', of)
  const answer = lastError ?? (lastStatus === null ? '' : String(lastStatus))
  return (
    <>
      {waiting > 0 && (
        <span>
          <Go to={to}>
            {t(
              '{waiting, plural, one {# event of {name} {environment} waits} other {# events of {name} {environment} wait}}, the oldest for {age}',
              { waiting, name, environment, age: ageOf(oldestSeconds) },
            )}
          </Go>{' '}
          <span className="muted">
            {rich('since <at></at>; last answer {answer}', {
              at: () => <MomentOf key="at" book={of} at={oldestAt} />,
              answer: answer === '' ? '—' : answer,
            })}
          </span>
        </span>
      )}
      {givenUp > 0 && (
        <span>
          <Go to={to}>
            {t(
              '{givenUp, plural, one {# event of {name} {environment} was given up} other {# events of {name} {environment} were given up}}',
              { givenUp, name, environment },
            )}
          </Go>{' '}
          <span className="muted">
            {rich('the last of <at></at>', {
              at: () => <MomentOf key="at" book={of} at={of.lastGivenUpAt} />,
            })}
          </span>
        </span>
      )}
    </>
  )
}
