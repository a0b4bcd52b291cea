import { useRouterState } from '@tanstack/react-router'
import { type TimeMode, timeModes } from '../parts/times.ts'

/** How the address wants times written. */
export function useTimeMode(): TimeMode {
  const asked = useRouterState({
    select: ({ location }) => new URLSearchParams(location.searchStr).get('time'),
  })
  return timeModes.find((mode) => mode === asked) ?? 'local'
}
