import { useQuery } from '@tanstack/react-query'
import { usePageId } from '../../app/page-id.ts'
import { Go } from '../../app/places.tsx'
import { useSession } from '../../app/session.tsx'
import { Act } from '../../parts/act.tsx'
import { CopyAs } from '../../parts/copy.tsx'
import { Facts, Id, Moment } from '../../parts/facts.tsx'
import { PageHead, Part } from '../../parts/page.tsx'
import { Loading, Trouble } from '../../parts/states.tsx'
import { Status } from '../../parts/status.tsx'

export function WebhookPage() {
  const id = usePageId()
  const { corridor } = useSession()
  const event = useQuery({
    queryKey: ['event', id],
    queryFn: () => corridor.webhookEvents.get(id),
    refetchInterval: 3_000,
  })
  if (event.isPending) return <Loading />
  if (!event.data) return <Trouble error={event.error} missing={id} onRetry={() => void event.refetch()} />
  const { data } = event
  return (
    <>
      <PageHead title={data.type}>
        <Act isMain shortcut="r" run={() => corridor.webhookEvents.resend(id)}>
          Resend
        </Act>
        <CopyAs
          path={`/webhook-events/${id}`}
          sdk={`const event = await corridor.webhookEvents.get('${id}')`}
          cli={`corridor resend ${id}`}
          body={data}
        />
      </PageHead>
      <p className="muted trail">
        <Go to="webhooks">Webhooks</Go> / <span className="id">{id}</span>
      </p>
      <Facts
        of={[
          ['Result', <Status key="s" status={data.status} />],
          ['About', <Id key="r" id={data.resourceId} />],
          ['Created', <Moment key="c" at={data.createdAt} />],
          ['Last error', data.lastError],
        ]}
      />
      <Part title="Attempts">
        {data.attemptLog.length === 0 && <p className="muted">It was not sent yet.</p>}
        <ol className="timeline">
          {data.attemptLog.map(({ via, attempt, at, status, error, milliseconds }) => (
            <li key={`${via} ${attempt} ${at}`}>
              <Moment at={at} />
              <span>
                {via}, attempt {attempt}: {status === null ? (error ?? 'no answer') : `answered ${status}`}
                {milliseconds !== null && <span className="muted"> after {milliseconds} ms</span>}
              </span>
            </li>
          ))}
        </ol>
        {data.signature && (
          <p>
            Signed with key <code>{data.signature.keyId}</code>:{' '}
            {data.signature.isVerified ? (
              'it verifies the bytes below with the public key of your platform.'
            ) : (
              <strong>it verifies with none of the public keys of your platform.</strong>
            )}{' '}
            Verify the raw bytes of the body, before they are parsed.
          </p>
        )}
      </Part>
      {data.lastAnswer !== null && (
        <Part title="What your endpoint answered last">
          {data.lastAnswer === '' ? (
            <p className="muted">Nothing in the body.</p>
          ) : (
            <pre>{data.lastAnswer}</pre>
          )}
        </Part>
      )}
      <Part title="What was sent">
        <pre>{JSON.stringify(data.payload, undefined, 2)}</pre>
      </Part>
    </>
  )
}
