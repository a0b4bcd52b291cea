import { platformRuntime } from '@corridor/sdk/runtime.ts'
import { useQuery } from '@tanstack/react-query'
import { useEveryMs } from '../../app/live/live.tsx'
import { useSession } from '../../app/session.tsx'
import { useTime } from '../../app/time.tsx'
import { t } from '../../language/t.ts'
import { timeOf } from '../../parts/times.ts'
import { listPayments } from './payments-page.tsx'

/** Views that nobody has to save: what is stuck, with how many they are, and what has failed today. */
export function useStandingViews() {
  const { corridor } = useSession()
  const { mode, aheadMs } = useTime()
  const every = useEveryMs()
  const stuck = useQuery({
    queryKey: ['stuck payments'],
    queryFn: async () => (await listPayments(corridor, { isStuck: 'true' }, 1)).totalCount,
    refetchInterval: every(10_000),
  })
  const day = { nowMs: platformRuntime.now() + aheadMs, mode: mode === 'utc' ? 'utc' : 'local' } as const
  const today = timeOf('today', { ...day, side: 'FROM' })
  return [
    { name: t('Stuck'), query: 'isStuck=true', count: stuck.data },
    {
      name: t('Failed today'),
      query: new URLSearchParams({ status: 'FAILED', ...(today ? { startDate: today } : {}) }).toString(),
    },
  ]
}
