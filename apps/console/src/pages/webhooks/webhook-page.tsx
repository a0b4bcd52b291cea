import type { Answer } from '@corridor/sdk/index.ts'
import { useQuery } from '@tanstack/react-query'
import { usePageId } from '../../app/page-id.ts'
import { Go } from '../../app/places.tsx'
import { useSession } from '../../app/session.tsx'
import { rich, t } from '../../language/t.ts'
import { Act } from '../../parts/act.tsx'
import { Copy, CopyAs } from '../../parts/copy.tsx'
import { ExplainButton } from '../../parts/explanation/anchor.tsx'
import { ExplanationBlocks, Waiting } from '../../parts/explanation/explanation.tsx'
import { useExplanation } from '../../parts/explanation/use-explanation.ts'
import { Facts, Id, Moment } from '../../parts/facts.tsx'
import { Known } from '../../parts/known.tsx'
import { PageHead, Part } from '../../parts/page.tsx'
import { Loading } from '../../parts/states.tsx'
import { Status } from '../../parts/status.tsx'
import { Unknown } from '../../parts/unknown.tsx'
import { words } from '../../words.ts'
import { Attempts } from './attempts.tsx'

type Event = Answer<'getWebhookEvent'>

export function WebhookPage() {
  const id = usePageId()
  const { corridor } = useSession()
  const event = useQuery({
    queryKey: ['event', id],
    queryFn: () => corridor.webhookEvents.get(id),
    refetchInterval: 3_000,
  })
  const explanation = useExplanation(id, { isWanted: event.data !== undefined, everyMs: 3_000 })
  if (event.isPending) return <Loading />
  if (!event.data) return <Unknown id={id} error={event.error} onRetry={() => void event.refetch()} />
  const { data } = event
  return (
    <>
      <PageHead title={data.type}>
        <Act
          isMain
          shortcut="r"
          asks={t('Send {event} again', { event: data.type })}
          run={() => corridor.webhookEvents.resend(id)}
        >
          {t('Resend')}
        </Act>
        <ExplainButton />
        <CopyAs
          path={`/webhook-events/${id}`}
          sdk={`const event = await corridor.webhookEvents.get('${id}')`}
          cli={`corridor resend ${id}`}
          body={data}
          ticket={() => corridor.text({ method: 'GET', path: `/explain/${id}` }, 'text/markdown')}
        />
      </PageHead>
      <p className="muted trail">
        <Go to="webhooks">{words.pages.webhooks}</Go> / <span className="id">{id}</span>
      </p>
      {explanation.data && (
        <div className="story">
          <Waiting of={explanation.data} />
        </div>
      )}
      <Facts
        of={[
          [t('Result'), <Status key="s" status={data.status} />],
          [t('About'), <Id key="r" id={data.resourceId} />],
          [t('Created'), <Moment key="c" at={data.createdAt} />],
          [t('Last error'), data.lastError],
          [t('Next attempt'), data.nextAttemptAt && <Moment key="n" at={data.nextAttemptAt} />],
        ]}
      />
      <Part title={t('Attempts')}>
        <Attempts of={data} />
        {data.signature && <Signature of={data.signature} />}
      </Part>
      <ExplanationBlocks of={explanation} currencies={[]} />
      {data.lastAnswer !== null && (
        <Part title={t('Last response of your endpoint')}>
          {data.lastAnswer === '' ? (
            <p className="muted">{t('The body is empty.')}</p>
          ) : (
            <pre>{data.lastAnswer}</pre>
          )}
        </Part>
      )}
      <Part title={t('What was sent')}>
        <Known key={data.id} of={data.payload} />
        <details>
          <summary>
            {t('Exactly as it is sent, {bytes, plural, one {# byte} other {# bytes}}', {
              bytes: new TextEncoder().encode(data.body).length,
            })}
          </summary>
          <Known key={data.id} of={data.body} />
          <Copy name={t('bytes')} label={t('Copy')} says={t('Copy the exact bytes')} text={() => data.body} />
        </details>
      </Part>
    </>
  )
}

/** Whether a receiver that checks with the published keys would take it for genuine. */
function Signature({ of }: { readonly of: NonNullable<Event['signature']> }) {
  const { keyId, isVerified, isOfAttempts } = of
  const key = <code>{keyId}</code>
  const strong = (text: React.ReactNode) => <strong>{text}</strong>
  const hint = t('Verify the raw bytes of the body, before they are parsed.')
  const verdict = isOfAttempts
    ? isVerified
      ? rich('Signed with key {key}: your platform’s public key verifies the bytes below. {hint}', {
          key,
          hint,
        })
      : rich(
          'Signed with key {key}: <strong>none of your platform’s public keys verifies it.</strong> {hint}',
          { key, strong, hint },
        )
    : isVerified
      ? rich('A resend would be signed with key {key}: your platform’s public key would verify it. {hint}', {
          key,
          hint,
        })
      : rich(
          'A resend would be signed with key {key}: <strong>none of your platform’s public keys would verify it.</strong> {hint}',
          { key, strong, hint },
        )
  return <p>{verdict}</p>
}
