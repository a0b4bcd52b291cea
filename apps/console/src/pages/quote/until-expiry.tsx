import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useSession } from '../../app/session.tsx'
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
      <progress max={wholeSeconds} value={left} aria-label="How long it still holds" />
      <span>
        {left === 0
          ? 'Its time is over'
          : `Holds for ${Math.floor(left / 60)}:${String(left % 60).padStart(2, '0')}`}
      </span>
      {isSimulated && left > 0 && (
        <Act run={() => corridor.sandbox.clock.advance({ seconds: left + 1 })}>Advance to expiry</Act>
      )}
    </p>
  )
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
