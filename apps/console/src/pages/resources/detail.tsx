import type { Page } from '@corridor/sdk/pages.ts'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { usePageId } from '../../app/page-id.ts'
import type { machines } from '../../generated/machines.ts'
import { t } from '../../language/t.ts'
import { CopyAs } from '../../parts/copy.tsx'
import { Facts, Moment } from '../../parts/facts.tsx'
import { Known } from '../../parts/known.tsx'
import { PageHead, Part } from '../../parts/page.tsx'
import { StatePicture } from '../../parts/state-picture/state-picture.tsx'
import { Loading } from '../../parts/states.tsx'
import { Status } from '../../parts/status.tsx'
import { Unknown } from '../../parts/unknown.tsx'

/** What a list asks for: pages of a hundred, or of fewer where the API gives fewer. */
export const page = (cursor: string | undefined, more: object = {}) =>
  ({ ...more, limit: 100, ...(cursor ? { cursor } : {}) }) as never

/** Those lists that come whole, as one page. */
export async function whole<T>(read: PromiseLike<{ readonly data: readonly T[] }>): Promise<Page<T>> {
  const { data } = await read
  return { data, hasMore: false, totalCount: data.length } as unknown as Page<T>
}

interface DetailProps<T> {
  /** One word, as a variable of that kind is called. */
  readonly kind: string
  readonly read: (id: string) => Promise<T>
  /** In the API, and in the SDK where it is called otherwise; a function where it differs from one to another. */
  readonly path: string | ((resource: T) => string)
  readonly sdk?: string | ((resource: T) => string)
  readonly titleOf: (resource: T) => string
  readonly statusOf?: (resource: T) => string
  /** The state machine whose state that is, as the engine names it. */
  readonly machine?: keyof typeof machines
  readonly facts?: (resource: T) => readonly (readonly [name: string, value: ReactNode])[]
  readonly acts?: (resource: T) => ReactNode
  /** Parts of the page between the facts and all that is known. */
  readonly parts?: (resource: T) => ReactNode
}

/** The page of a resource: what it is, its state, what can be done, and all that is known. */
export function Detail<T extends object>(props: DetailProps<T>) {
  const {
    kind,
    read,
    path: pathOf,
    sdk: sdkOf = pathOf,
    titleOf,
    statusOf,
    machine,
    facts,
    acts,
    parts,
  } = props
  const id = usePageId()
  const resource = useQuery({ queryKey: [kind, id], queryFn: () => read(id) })
  if (resource.isPending) return <Loading />
  if (!resource.data)
    return <Unknown id={id} error={resource.error} onRetry={() => void resource.refetch()} />
  const { data } = resource
  const { createdAt, updatedAt } = data as { createdAt?: string; updatedAt?: string }
  const path = typeof pathOf === 'string' ? pathOf : pathOf(data)
  const sdk = typeof sdkOf === 'string' ? sdkOf : sdkOf(data)
  const command = sdk.replaceAll('.', ' ').replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
  return (
    <>
      <PageHead title={titleOf(data)}>
        {acts?.(data)}
        <CopyAs
          path={`/${path}/${id}`}
          sdk={`const ${kind} = await corridor.${sdk}.get('${id}')`}
          cli={`corridor ${command} get ${id}`}
          body={data}
        />
      </PageHead>
      <Facts
        of={[
          [
            t('Id'),
            <span key="i" className="id">
              {id}
            </span>,
          ],
          [t('Status'), statusOf && <Status key="s" status={statusOf(data)} />],
          ...(facts?.(data) ?? []),
          [t('Created'), createdAt && <Moment key="c" at={createdAt} />],
          [t('Changed'), updatedAt && <Moment key="u" at={updatedAt} />],
        ]}
      />
      {parts?.(data)}
      {statusOf && machine && <StatePicture of={machine} now={statusOf(data)} />}
      <Part title={t('All details')}>
        <Known key={id} of={data} />
      </Part>
    </>
  )
}
