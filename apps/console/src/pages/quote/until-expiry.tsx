import type { Corridor } from '@corridor/sdk/index.ts'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useSession } from '../../app/session.tsx'
import { t } from '../../language/t.ts'
import { Act } from '../../parts/act.tsx'
import { wallMs } from '../../parts/wall-clock.ts'

/** How long a quote still holds, by the clock of the platform, which in the sandbox is ahead of the reader's. */
export function UntilExpiry({
  createdAt,
  expiresAt,
}: {
  readonly createdAt: string
  readonly expiresAt: string
}) {
  const { corridor, environment } = useSession()
  const isSimulated = environment === 'sandbox'
  const ahead = useQuery({
    queryKey: ['clock', 'ahead'],
    queryFn: async () => Date.parse((await corridor.sandbox.clock.get()).now) - wallMs(),
    enabled: isSimulated,
    refetchInterval: 10_000,
  })
  const now = useNow() + (isSimulated ? (ahead.data ?? 0) : 0)
  if (isSimulated && ahead.data === undefined) return null
  const wholeSeconds = Math.max(1, Math.ceil((Date.parse(expiresAt) - Date.parse(createdAt)) / 1000))
  const left = Math.min(wholeSeconds, Math.max(0, Math.ceil((Date.parse(expiresAt) - now) / 1000)))
  return (
    <p className="acts">
      <progress max={wholeSeconds} value={left} aria-label={t('Remaining validity')} />
      <span>
        {left === 0
          ? t('It has expired')
          : t('Holds for {time}', {
              time: `${Math.floor(left / 60)}:${String(left % 60).padStart(2, '0')}`,
            })}
      </span>
      {isSimulated && left > 0 && (
        <Act run={() => advanceTo(corridor, expiresAt)}>{t('Advance to expiry')}</Act>
      )}
    </p>
  )
}

/** By what the clock says now: it may stand still while the reader's goes on. */
async function advanceTo(corridor: Corridor, at: string): Promise<unknown> {
  const { now } = await corridor.sandbox.clock.get()
  const seconds = Math.max(1, Math.ceil((Date.parse(at) - Date.parse(now)) / 1000) + 1)
  return await corridor.sandbox.clock.advance({ seconds })
}

/** The reader's clock in milliseconds, each second. */
function useNow(): number {
  const [now, setNow] = useState(() => wallMs())
  useEffect(() => {
    const timer = setInterval(() => setNow(wallMs()), 1_000)
    return () => clearInterval(timer)
  }, [])
  return now
}
