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
  if (data.length === 0)
    return <p>{t('All events were delivered: none is waiting, and none was abandoned.')}</p>
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
              '{waiting, plural, one {# event of {name} {environment} is} other {# events of {name} {environment} are}} waiting, the oldest for {age}',
              { waiting, name, environment, age: ageOf(oldestSeconds) },
            )}
          </Go>{' '}
          <span className="muted">
            {rich('since <at></at>; last response {answer}', {
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
              '{givenUp, plural, one {# event of {name} {environment} was abandoned} other {# events of {name} {environment} were abandoned}}',
              { givenUp, name, environment },
            )}
          </Go>{' '}
          <span className="muted">
            {rich('the last at <at></at>', {
              at: () => <MomentOf key="at" book={of} at={of.lastGivenUpAt} />,
            })}
          </span>
        </span>
      )}
    </>
  )
}
