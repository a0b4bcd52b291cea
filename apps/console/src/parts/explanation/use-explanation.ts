import type { Answer } from '@corridor/sdk/index.ts'
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { useSession } from '../../app/session.tsx'

export type Explanation = Answer<'explain'>

/** Why something came about, told from what is on record; asked again as often as the page asks for the thing itself. */
export function useExplanation(
  id: string,
  options: { readonly isWanted?: boolean; readonly everyMs?: number } = {},
): UseQueryResult<Explanation> {
  const { corridor } = useSession()
  return useQuery({
    queryKey: ['explanation', id],
    queryFn: () => corridor.explain.get(id),
    enabled: options.isWanted ?? true,
    refetchInterval: options.everyMs ?? false,
  })
}
