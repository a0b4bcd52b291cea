import { useQuery } from '@tanstack/react-query'
import { corridorOf } from '../../app/console-api.ts'
import { Go } from '../../app/places.tsx'
import { type Session, useSession, useSessions } from '../../app/session.tsx'
import { rich } from '../../language/t.ts'

const otherThan = { sandbox: 'production', production: 'sandbox' } as const

/**
 * Where a payment is that is not here: in the other environment of the platform. Asked only as an operator, who may look into
 * both; nobody else is told anything.
 */
export function Elsewhere({ id }: { readonly id: string }) {
  const { state } = useSessions()
  const { platform, environment } = useSession()
  const isOperator = state.kind === 'IN' && state.operator !== undefined
  return isOperator ? <InOther id={id} platform={platform} environment={otherThan[environment]} /> : null
}

function InOther({
  id,
  platform,
  environment,
}: Pick<Session, 'platform' | 'environment'> & { readonly id: string }) {
  const found = useQuery({
    queryKey: ['elsewhere', platform, environment, id],
    // A refusal there is no news of here: whoever is signed in stays so.
    queryFn: () =>
      corridorOf(platform, environment, () => {})
        .transactions.get(id)
        .then(
          () => true,
          () => false,
        ),
  })
  if (!found.data) return null
  return (
    <p role="status">
      {rich('It is in {environment}, of the same platform: <link></link>', {
        environment,
        link: () => (
          <Go className="id" to={`/${platform}/${environment}/payments/${encodeURIComponent(id)}`}>
            {id}
          </Go>
        ),
      })}
    </p>
  )
}
