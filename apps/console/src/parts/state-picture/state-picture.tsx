import { useId } from 'react'
import { useNarrow } from '../../app/narrow.ts'
import { machines } from '../../generated/machines.ts'
import { t } from '../../language/t.ts'
import { Part } from '../page.tsx'
import { Scrolled } from '../scrolled.tsx'
import { readable } from '../status.tsx'
import { box, leastScale, type Machine, pictureOf, tallPictureOf } from './layout.ts'

/** What can become of a resource: its states with the present one marked, and as text what may come next. */
export function StatePicture({
  of,
  now,
  title = t('States'),
}: {
  readonly of: keyof typeof machines
  readonly now: string
  /** Where one page has several of them. */
  readonly title?: string
}) {
  const arrowId = useId()
  const machine: Machine = machines[of]
  const isNarrow = useNarrow()
  const { width, height, boxes, arrows } = isNarrow ? tallPictureOf(machine) : pictureOf(machine)
  const article = /^[aeiou]/.test(of) ? 'an' : 'a'
  // Several ways may lead to one state.
  const next = new Map<string, string[]>()
  for (const { from, to, why } of machine.moves) {
    if (from.includes(now)) next.set(to, [...(next.get(to) ?? []), why])
  }
  const label = t('States of {article, select, an {an} other {a}} {of}', { article, of })
  return (
    <Part title={title}>
      <Scrolled label={label}>
        <svg
          className="machine"
          width={width}
          height={height}
          viewBox={`0 0 ${width} ${height}`}
          style={{ minWidth: width * leastScale }}
          role="img"
          aria-label={t('States of {article, select, an {an} other {a}} {of}, now {now}', {
            article,
            of,
            now: readable(now),
          })}
        >
          <defs>
            <marker
              id={arrowId}
              viewBox="0 0 8 8"
              refX="7"
              refY="4"
              markerWidth="7"
              markerHeight="7"
              orient="auto"
            >
              <path d="M0 0L8 4L0 8Z" />
            </marker>
          </defs>
          {/* What may come next lies over the others. */}
          {arrows
            .toSorted((a, b) => Number(a.from === now) - Number(b.from === now))
            .map(({ key, from, path }) => (
              <path
                key={key}
                d={path}
                className={from === now ? 'arrow now' : 'arrow'}
                markerEnd={`url(#${arrowId})`}
              />
            ))}
          {boxes.map(({ state, x, y }) => (
            <g key={state} className={state === now ? 'state now' : 'state'}>
              <title>{machine.states[state]}</title>
              <rect x={x} y={y} width={box.width} height={box.height} rx="4" />
              <text
                x={x + box.width / 2}
                y={y + box.height / 2}
                dominantBaseline="central"
                textAnchor="middle"
              >
                {readable(state)}
              </text>
            </g>
          ))}
        </svg>
      </Scrolled>
      <p>
        {readable(now)}: {machine.states[now] ?? t('a state that is new to the console')}.
        {next.size === 0 && ` ${t('This is the last step.')}`}
      </p>
      <ul>
        {[...next].map(([to, whys]) => (
          <li key={to}>
            {readable(to)}: {[...new Set(whys)].join('; ')}.
          </li>
        ))}
      </ul>
    </Part>
  )
}
