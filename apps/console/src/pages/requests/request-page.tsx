import { useQuery } from '@tanstack/react-query'
import { usePageId } from '../../app/page-id.ts'
import { Go } from '../../app/places.tsx'
import { useSession } from '../../app/session.tsx'
import { CopyAs } from '../../parts/copy.tsx'
import { Facts, Id, Moment } from '../../parts/facts.tsx'
import { PageHead } from '../../parts/page.tsx'
import { Loading, Trouble } from '../../parts/states.tsx'
import { words } from '../../words.ts'
import { Answered } from './answered.tsx'
import { formsOf } from './forms.ts'

export function RequestPage() {
  const id = usePageId()
  const { corridor } = useSession()
  const request = useQuery({ queryKey: ['request', id], queryFn: () => corridor.requestLog.get(id) })
  if (request.isPending) return <Loading />
  if (!request.data)
    return <Trouble error={request.error} missing={id} onRetry={() => void request.refetch()} />
  const { data } = request
  return (
    <>
      <PageHead title={`${data.method} ${data.path}`}>
        <CopyAs {...formsOf(data)} body={data} />
      </PageHead>
      <p className="muted trail">
        <Go to="requests">{words.pages.requests}</Go> / <span className="id">{id}</span>
      </p>
      <Facts
        of={[
          ['Answer', <Answered key="a" {...data} />],
          ['Operation', data.operation],
          ['About', ids(Object.values(data.resources))],
          ['Answered', <Moment key="m" at={data.createdAt} />],
          ['Took', `${data.milliseconds} ms`],
          [
            'Who',
            <span key="w" className="id">
              {data.actor}
            </span>,
          ],
          [
            'From',
            <span key="f" className="id">
              {data.source}
            </span>,
          ],
          ['Same idempotency key', data.idempotencyKey && <span className="id">{data.idempotencyKey}</span>],
        ]}
      />
      {data.code && (
        <p>
          <a href={`/docs/reference/errors#${data.code.toLowerCase()}`}>{words.states.whatToDo}</a> about{' '}
          {data.code}
        </p>
      )}
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
