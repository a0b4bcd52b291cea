import { useQuery } from '@tanstack/react-query'
import { useSession } from '../../app/session.tsx'
import { listPayments } from '../payments/payments-page.tsx'

/** How much stands where somebody may have to look; what several parts of the home page read is asked once. */
export function useHealth() {
  const { corridor } = useSession()
  return useQuery({
    queryKey: ['health'],
    queryFn: async () => {
      const count = async (query: Readonly<Record<string, string>>) =>
        (await listPayments(corridor, query, 1)).totalCount ?? 0
      const [stuck, processing, failed] = await Promise.all([
        count({ isStuck: 'true' }),
        count({ status: 'PROCESSING' }),
        count({ status: 'FAILED' }),
      ])
      const [givenUp, waiting] = await Promise.all([
        corridor.webhookEvents.list({ status: 'FAILED', limit: 1 } as never),
        corridor.webhookEvents.list({ status: 'RETRYING', limit: 1, sortOrder: 'asc' } as never),
      ])
      const undelivered = givenUp.totalCount ?? 0
      const oldest = waiting.data[0]?.createdAt
      return { stuck, processing, failed, undelivered, waiting: waiting.totalCount ?? 0, oldest }
    },
    refetchInterval: 10_000,
  })
}
