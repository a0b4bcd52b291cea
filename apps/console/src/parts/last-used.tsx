import { useTime } from '../app/time.tsx'
import { t } from '../language/t.ts'
import { hourOf, minuteOf, relativeOf } from './times.ts'

/** Of a credential the server notes once an hour that it was used: more is not known, and none of it is shown. */
export const lastUsed = t('Last use, to the hour')

const minuteMs = 60_000
const hourMs = 60 * minuteMs

/** When that was, in the time of the real world. */
export function LastUsed({ at }: { readonly at: string | null | undefined }) {
  const { mode, nowMs, aheadMs } = useTime()
  if (!at) return t('never')
  const realMs = nowMs - aheadMs
  const hoursAgo = Math.floor((realMs - Date.parse(at)) / hourMs)
  if (mode !== 'relative') return <Whole at={at}>{hourOf(new Date(at), mode, realMs)}</Whole>
  return <Whole at={at}>{hoursAgo < 1 ? t('within the hour') : relativeOf(-hoursAgo * hourMs)}</Whole>
}

/** When somebody who is signed in was there last, which the server notes to the minute. */
export function LastSeen({ at }: { readonly at: string }) {
  const { mode, nowMs, aheadMs } = useTime()
  const realMs = nowMs - aheadMs
  const minutesAgo = Math.floor((realMs - Date.parse(at)) / minuteMs)
  if (mode !== 'relative') return <Whole at={at}>{minuteOf(new Date(at), mode, realMs)}</Whole>
  return <Whole at={at}>{minutesAgo < 1 ? t('within the minute') : relativeOf(-minutesAgo * minuteMs)}</Whole>
}

/** A moment that takes a second line of a phone before any of it is cut. */
function Whole({ at, children }: { readonly at: string; readonly children: string }) {
  return (
    <time className="unshortened" dateTime={at}>
      {children}
    </time>
  )
}
