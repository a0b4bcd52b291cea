import { useTime } from '../app/time.tsx'
import { t } from '../language/t.ts'
import { hourOf, relativeOf } from './times.ts'

/** Of a credential the server notes once an hour that it was used: more is not known, and none of it is shown. */
export const lastUsed = t('Last used, to the hour')

const hourMs = 3_600_000

/** When that was, in the time of the real world. */
export function LastUsed({ at }: { readonly at: string | null | undefined }) {
  const { mode, nowMs, aheadMs } = useTime()
  if (!at) return t('never')
  const realMs = nowMs - aheadMs
  const hoursAgo = Math.floor((realMs - Date.parse(at)) / hourMs)
  if (mode !== 'relative') return <time dateTime={at}>{hourOf(new Date(at), mode, realMs)}</time>
  return <time dateTime={at}>{hoursAgo < 1 ? t('within the hour') : relativeOf(-hoursAgo * hourMs)}</time>
}
