import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { momentOf, type Time, TimeOf, useTime } from '../../app/time.tsx'
import { t } from '../../language/t.ts'
import { Icon } from '../../parts/icon.tsx'
import { type Book, isReal, type Platform, useOperator } from './operator-api.ts'

/**
 * What is by the clock of a platform. That of a sandbox can be moved, so between moments of the real world each of its moments is
 * marked as it is on its own pages.
 */

/** The time at a platform; until it is known there, that of the real world. */
export function useTimeOf(): (book: Book) => Time {
  const time = useTime()
  const { page } = useOperator()
  const platforms = useQuery({
    queryKey: ['operator', 'platforms'],
    queryFn: () => page<Platform>('platforms'),
  })
  return ({ platformId, environment }) => {
    if (isReal({ environment })) return time
    const there = platforms.data?.data.find(
      (each) => each.id === platformId && each.environment === environment,
    )
    const exactMs = there ? Date.parse(there.now) - platforms.dataUpdatedAt : 0
    // To the second: what the answer took on its way changes nothing that is shown.
    const aheadMs = Math.round(exactMs / 1_000) * 1_000
    return { ...time, hasOwnClock: true, aheadMs, nowMs: time.nowMs + aheadMs }
  }
}

/** Around a part of a page that is all of one platform. */
export function InTimeOf({ book, children }: { readonly book: Book; readonly children: ReactNode }) {
  return <TimeOf value={useTimeOf()(book)}>{children}</TimeOf>
}

interface MomentOfProps {
  readonly book: Book
  readonly at: string | null | undefined
}

/** A moment of a platform among those of others. */
export function MomentOf({ book, at }: MomentOfProps) {
  const time = useTimeOf()(book)
  if (!at) return '—'
  const { text, title } = momentOf(at, time, 'short')
  return (
    <time dateTime={at} title={title}>
      {time.hasOwnClock && <Icon name="expired" />}
      {text}
    </time>
  )
}

/** What the mark says, where any of these are of a sandbox. */
export function BySandboxClock({ of }: { readonly of: readonly Pick<Book, 'environment'>[] }) {
  if (of.every(isReal)) return null
  return (
    <p className="muted">
      <Icon name="expired" /> {t('On the sandbox clock, which may have been moved.')}
    </p>
  )
}
