import type { ReactNode } from 'react'
import { t } from '../language/t.ts'

/** How far the money came. */
export type Reach = 'done' | 'moving' | 'stopped' | 'returned'

/** Of the status of a payment and of what becomes of money that goes back: only what is back is turned back. */
export function reachOf(status: string, refund?: { readonly status: string }): Reach {
  if (status === 'REFUNDED' || refund?.status === 'COMPLETED') return 'returned'
  // Cancelled in time: it is over, and was not delivered.
  if (status === 'COMPLETED') return refund ? 'stopped' : 'done'
  return ['FAILED', 'REJECTED', 'EXPIRED'].includes(status) ? 'stopped' : 'moving'
}

/** The first lane and the diamond, which strokes within each other fill. */
const exchanged = 'M2 8h22M24 8l5-5 5 5-5 5zM26 8l3-3 3 3-3 3zM28 8l1-1 1 1-1 1z'
/** One currency goes on as it is. */
const kept = 'M2 8h32'
/** Where a fee was taken. */
const tick = 'M13 4v8'

/** What comes behind it; one path in all, as a list draws many of them while it scrolls. */
const ends: Readonly<Record<Reach, string>> = {
  done: 'M34 8h22M54 4l6 4-6 4',
  moving: 'M54 4l6 4-6 4',
  stopped: 'M34 8h12M50 4l8 8m0-8l-8 8',
  returned: 'M34 8h22M56 8c5 0 5 6 0 6H40m4-3l-4 3 4 2',
}

interface CorridorLineProps {
  readonly reach: Reach
  /** Whether it changes currency on its way. */
  readonly isExchange: boolean
  /** Whether a fee was taken on its way. */
  readonly hasFee: boolean
  /** What it is for those who hear it; without that it is an ornament. */
  readonly says?: string
}

/**
 * The figure of Corridor: a lane, a tick where a fee is taken, a diamond where it changes currency, a lane; broken, dashed or
 * turned back.
 */
export function CorridorLine({ reach, isExchange, hasFee, says }: CorridorLineProps) {
  return (
    <svg
      className={`corridor ${reach}`}
      viewBox="0 0 64 16"
      width="64"
      height="16"
      role={says && 'img'}
      aria-label={says}
      aria-hidden={says === undefined}
    >
      <path d={`${isExchange ? exchanged : kept}${hasFee ? tick : ''}${ends[reach]}`} />
      {reach === 'moving' && <path d="M34 8h22" className="second" />}
    </svg>
  )
}

/** A mark on the line, 16 by 16. */
const marks = {
  sent: 'M8 4a4 4 0 1 1 0 8A4 4 0 0 1 8 4zm4 4h4',
  fee: 'M0 8h16M8 2v12',
  rate: 'M0 8h2M14 8h2M2 8l6-6 6 6-6 6zM4 8l4-4 4 4-4 4zM6 8l2-2 2 2-2 2z',
  done: 'M0 8h13M8 3l6 5-6 5',
  moving: 'M8 3l6 5-6 5',
  stopped: 'M3 3l10 10M13 3L3 13',
  returned: 'M0 5h9c6 0 6 7 0 7H3m4-3.5L3 12l4 3.5',
} as const

export interface Station {
  readonly mark: Exclude<keyof typeof marks, Reach> | 'end'
  readonly value: ReactNode
  /** What that is. */
  readonly what: string
}

/** The same in full size, with what each mark stands for: a list, so whoever does not see the line has all of it as well. */
export function Lanes({ reach, stations }: { readonly reach: Reach; readonly stations: readonly Station[] }) {
  return (
    <ol className={`lanes ${reach}`} aria-label={t('Path of the money')}>
      {stations.map(({ mark, value, what }) => (
        <li key={mark} className={mark}>
          <svg className="icon" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
            <path d={marks[mark === 'end' ? reach : mark]} />
          </svg>
          <span className="money">{value}</span>
          <span className="muted">{what}</span>
        </li>
      ))}
    </ol>
  )
}
