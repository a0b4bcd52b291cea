import { useQuery } from '@tanstack/react-query'
import { usePageId } from '../../app/page-id.ts'
import { Go } from '../../app/places.tsx'
import { useSession } from '../../app/session.tsx'
import { rich, t } from '../../language/t.ts'
import { CopyAs } from '../../parts/copy.tsx'
import { ExplainButton } from '../../parts/explanation/anchor.tsx'
import { ExplanationBlocks, Waiting } from '../../parts/explanation/explanation.tsx'
import { useExplanation } from '../../parts/explanation/use-explanation.ts'
import { Facts, Id, Moment } from '../../parts/facts.tsx'
import { NameOf } from '../../parts/names.tsx'
import { PageHead } from '../../parts/page.tsx'
import { Advice, Loading } from '../../parts/states.tsx'
import { Unknown } from '../../parts/unknown.tsx'
import { words } from '../../words.ts'
import { Answered } from './answered.tsx'
import { AskAgain } from './ask-again.tsx'
import { formsOf } from './forms.ts'

export function RequestPage() {
  const id = usePageId()
  const { corridor, environment } = useSession()
  const request = useQuery({ queryKey: ['request', id], queryFn: () => corridor.requestLog.get(id) })
  const explanation = useExplanation(id, { isWanted: request.data !== undefined })
  if (request.isPending) return <Loading />
  if (!request.data)
    return (
      <Unknown id={id} kind={t('Request')} error={request.error} onRetry={() => void request.refetch()} />
    )
  const { data } = request
  return (
    <>
      <PageHead title={`${data.method} ${data.path}`} isCode>
        <ExplainButton />
        <CopyAs
          {...formsOf(data)}
          body={data}
          ticket={() => corridor.text({ method: 'GET', path: `/explain/${id}` }, 'text/markdown')}
        />
      </PageHead>
      <p className="muted trail">
        <Go to="requests">{words.pages.requests}</Go> / <span className="id">{id}</span>
      </p>
      {explanation.data && (
        <div className="story">
          <Waiting of={explanation.data} />
        </div>
      )}
      <Facts
        of={[
          [t('Answer'), <Answered key="a" {...data} />],
          [t('Wrong fields'), data.fields.length > 0 && <code key="w">{data.fields.join(', ')}</code>],
          [t('Operation'), data.operation],
          [t('About'), ids(Object.values(data.resources))],
          [t('Answered'), <Moment key="m" at={data.createdAt} />],
          [t('Took'), `${data.milliseconds} ms`],
          [t('Who'), <NameOf key="w" id={data.actor} short={false} />],
          [
            t('From'),
            <span key="f" className="id">
              {data.source}
            </span>,
          ],
          [
            t('Same idempotency key'),
            data.idempotencyKey && <span className="id">{data.idempotencyKey}</span>,
          ],
        ]}
      />
      {data.code && (
        <p className="part">
          <Advice code={data.code} />{' '}
          {rich('<docs>What to do</docs> about {code}', {
            docs: (text) => <a href={`/docs/reference/errors#${data.code!.toLowerCase()}`}>{text}</a>,
            code: data.code,
          })}
        </p>
      )}
      <ExplanationBlocks of={explanation} currencies={[]} />
      {environment === 'sandbox' && <AskAgain key={id} of={data} />}
    </>
  )
}

const ids = (named: readonly string[]) =>
  named.length > 0
    ? named.map((id) => (
        <div key={id}>
          <Id id={id} />
        </div>
      ))
    : undefined
