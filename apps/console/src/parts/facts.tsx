import { type Amount, type ExactAmount, formatMoney } from '@corridor/sdk/money.ts'
import type { ReactNode } from 'react'
import { Go, placeOf } from '../app/places.tsx'
import { momentOf, useTime } from '../app/time.tsx'
import { amounts } from '../language/locale.ts'
import { t } from '../language/t.ts'
import { Icon } from './icon.tsx'

/** An exact amount: the digits of the integer, the decimals of the API, the code of the currency. */
export function Money({ of }: { readonly of: Amount | undefined }) {
  return <span className="money">{amountOf(of)}</span>
}

/** The text alone, for a cell that is an amount by its column. */
export const amountOf = (of: Amount | undefined) => (of ? textOf(of) : '—')

export const textOf = (amount: ExactAmount) => formatMoney(amount, amounts).replace('-', '\u2212')

/** How many of the one currency are one of the other, as the API gives it. */
export const rateText = (rate: number, sent: string, received: string) =>
  t('{rate} {sent} for one {received}', { rate: String(rate), sent, received })

interface MomentProps {
  readonly at: string | null | undefined
  readonly short?: boolean
  /** To the millisecond. */
  readonly isExact?: boolean
}

/**
 * A moment as the address wants it written; the exact one stands in `datetime` and under the pointer. In the sandbox it is by
 * the platform's own clock, and marked so where there is room.
 */
export function Moment({ at, short, isExact }: MomentProps) {
  const time = useTime()
  if (!at) return <>—</>
  const { text, title } = momentOf(at, time, short ? 'short' : isExact ? 'exact' : 'long')
  return (
    <time dateTime={at} title={title}>
      {time.hasOwnClock && !short && <Icon name="expired" />}
      {text}
    </time>
  )
}

interface IdProps {
  readonly id: string | null | undefined
  /** Its kind and its end; the end alone in a column that names the kind. */
  readonly short?: boolean | 'end'
}

/** An id, as a link where a page shows what it is. */
export function Id({ id, short }: IdProps) {
  if (!id) return <>—</>
  const place = placeOf(id)
  const text = short === 'end' ? shortOf(id).replace(/^\w+ (?=…)/, '') : short ? shortOf(id) : id
  return place ? (
    <Go className={short ? 'id unbroken' : 'id'} to={place} title={id}>
      {text}
    </Go>
  ) : (
    <span className={short ? 'id unbroken' : 'id'} title={id}>
      {text}
    </span>
  )
}

/** `Transaction:0198…a41`: ids of one moment begin alike, so their ends tell them apart. */
export function shortOf(id: string): string {
  const [kind, rest] = id.split(':')
  return rest && rest.length > 12 ? `${kind} …${rest.slice(-6)}` : id
}

/** Names and what they stand for, one a row; what is not there is left out. */
export function Facts({ of }: { readonly of: readonly (readonly [name: string, value: ReactNode])[] }) {
  return (
    <dl className="facts">
      {of
        .filter(([, value]) => value !== undefined && value !== null && value !== false && value !== '')
        .map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  )
}
