import { useQuery } from '@tanstack/react-query'
import { corridorOf } from '../../app/console-api.ts'
import { Go } from '../../app/places.tsx'
import { type Looked, useSession, useSessions } from '../../app/session.tsx'
import { inWorld, useForks } from '../../app/world-switch.tsx'
import { rich } from '../../language/t.ts'

const otherThan = { sandbox: 'production', production: 'sandbox' } as const
/** Of the forks the newest are asked: each that is asked has to be open. */
const mostForks = 8

/**
 * Where a payment is that is not here: in another world of the sandbox, and for an operator, who may look into both, in the other
 * environment of the platform. Nobody is told of what they may not see.
 */
export function Elsewhere({ id }: { readonly id: string }) {
  const { state } = useSessions()
  const session = useSession()
  const { platform, platformId, environment, world } = session
  const forks = useForks(session)
  const isOperator = state.kind === 'IN' && state.operator !== undefined
  const isAlone = environment === 'production'
  const newest = [...(forks.data ?? [])].sort((a, b) => b.createdAt.localeCompare(a.createdAt))
  const others = [
    ...(world === undefined ? [] : [undefined]),
    ...newest
      .map(({ name }) => name)
      .filter((name) => name !== world)
      .slice(0, mostForks),
  ]
  const places: Looked[] = [
    ...(isOperator ? [{ platform, environment: otherThan[environment] }] : []),
    ...(isAlone ? [] : others.map((other) => ({ platform, environment, world: other }))),
  ]
  const found = useQuery({
    queryKey: ['elsewhere', id, places],
    enabled: places.length > 0,
    queryFn: async () => {
      const has = await Promise.all(
        places.map((place) =>
          // A refusal there is no news of here: whoever is signed in stays so.
          corridorOf({ ...place, platform: platformId }, () => {}, { isAside: true })
            .transactions.get(id)
            .then(
              () => true,
              () => false,
            ),
        ),
      )
      return places.filter((_, index) => has[index])
    },
  })
  return found.data?.map((place) => {
    const to = inWorld(place, `payments/${encodeURIComponent(id)}`)
    const link = () => (
      <Go className="id" to={to}>
        {id}
      </Go>
    )
    return (
      <p key={to} role="status">
        {place.environment === environment
          ? rich('It is in the world {world}: <link></link>', { world: place.world ?? 'main', link })
          : rich('It is in {environment}, of the same platform: <link></link>', {
              environment: place.environment,
              link,
            })}
      </p>
    )
  })
}
