import { Go } from '../../app/places.tsx'
import { rich, t } from '../../language/t.ts'
import { Moment } from '../../parts/facts.tsx'
import { dayMs, useHealth } from './endpoint.tsx'

/** Bars of two hours each, as wide as what is pressed. */
const bars = 12
const barMs = dayMs / bars
/** Pixels of the highest. */
const highest = 32

/** When events were not taken, of the last day: each bar leads to the events of its two hours. Nothing while all were. */
export function Missed() {
  const { data } = useHealth()
  if (!data || data.missed.length === 0) return null
  const { missed, areAllMissed, sinceMs } = data
  const counts = Array.from({ length: bars }, () => 0)
  for (const { createdAt } of missed) {
    const at = Math.floor((Date.parse(createdAt) - sinceMs) / barMs)
    // What happened since the page was opened is of its last hours.
    counts[Math.min(Math.max(at, 0), bars - 1)]! += 1
  }
  const most = Math.max(...counts)
  const edgeOf = (bar: number) => new Date(sinceMs + bar * barMs).toISOString()
  return (
    <figure className="bars">
      <figcaption className="muted">
        {areAllMissed
          ? t('Not delivered in the last day: {count}', { count: `${missed.length}` })
          : t('Not delivered in the last day: more than {count}; the latest are listed', {
              count: `${missed.length}`,
            })}
      </figcaption>
      <ol className="plain">
        {counts.map((count, bar) => {
          const from = edgeOf(bar)
          const height = count === 0 ? 1 : Math.max(3, Math.round((count * highest) / most))
          return (
            <li key={from}>
              {count === 0 ? (
                <Bar height={height} />
              ) : (
                <Go to={eventsOf(from, bar < bars - 1 ? edgeOf(bar + 1) : undefined)}>
                  <Bar height={height} />
                  <span aria-hidden="true">{count}</span>
                  <span className="hidden">
                    {rich('{count} not delivered since {from}', {
                      count: `${count}`,
                      from: <Moment at={from} short />,
                    })}
                  </span>
                </Go>
              )}
            </li>
          )
        })}
      </ol>
    </figure>
  )
}

function Bar({ height }: { readonly height: number }) {
  return (
    <svg viewBox={`0 0 24 ${highest}`} width="24" height={highest} aria-hidden="true">
      <rect x="2" y={highest - height} width="20" height={height} />
    </svg>
  )
}

function eventsOf(createdAfter: string, createdBefore: string | undefined): string {
  return `webhooks?${new URLSearchParams({ createdAfter, ...(createdBefore ? { createdBefore } : {}) })}`
}
