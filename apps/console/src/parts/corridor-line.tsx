/** How far the money came. */
export type Reach = 'done' | 'moving' | 'stopped' | 'returned'

export function reachOf(status: string): Reach {
  if (status === 'COMPLETED') return 'done'
  if (status === 'REFUNDED') return 'returned'
  return ['FAILED', 'REJECTED', 'EXPIRED'].includes(status) ? 'stopped' : 'moving'
}

/** The first lane and the diamond, which strokes within each other fill. */
const exchanged = 'M2 8h22M24 8l5-5 5 5-5 5zM26 8l3-3 3 3-3 3zM28 8l1-1 1 1-1 1z'
/** One currency goes on as it is. */
const kept = 'M2 8h32'

/** What comes behind it; one path in all, as a list draws many of them while it scrolls. */
const ends: Readonly<Record<Reach, string>> = {
  done: 'M34 8h22M54 4l6 4-6 4',
  moving: 'M54 4l6 4-6 4',
  stopped: 'M34 8h12M50 4l8 8m0-8l-8 8',
  returned: 'M34 8h22M56 8c5 0 5 6 0 6H40m4-3l-4 3 4 2',
}

interface CorridorLineProps {
  readonly status: string
  /** Whether it changes currency on its way. */
  readonly isExchange: boolean
  /** What it is for those who hear it; without that it is an ornament. */
  readonly says?: string
}

/** The figure of Corridor: a lane, a diamond where it changes currency, a lane; broken, dashed or turned back. */
export function CorridorLine({ status, isExchange, says }: CorridorLineProps) {
  const reach = reachOf(status)
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
      <path d={`${isExchange ? exchanged : kept}${ends[reach]}`} />
      {reach === 'moving' && <path d="M34 8h22" className="second" />}
    </svg>
  )
}
