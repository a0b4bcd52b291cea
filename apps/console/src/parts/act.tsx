import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Trouble } from './states.tsx'

interface ActProps<T> {
  readonly children: ReactNode
  readonly run: () => PromiseLike<T>
  readonly then?: (result: T) => void
  readonly isMain?: boolean
  readonly isDisabled?: boolean
}

/** A button that changes something through the API: while it runs it cannot be pressed again, and an error stays beside it. */
export function Act<T>({ children, run, then, isMain, isDisabled }: ActProps<T>) {
  const queries = useQueryClient()
  const act = useMutation({
    mutationFn: async () => await run(),
    onSuccess: async (result) => {
      await queries.invalidateQueries()
      then?.(result)
    },
  })
  return (
    <>
      <button
        type="button"
        className={isMain ? 'main' : undefined}
        disabled={isDisabled || act.isPending}
        onClick={() => act.mutate()}
      >
        {children}
      </button>
      {act.isError && <Trouble error={act.error} />}
    </>
  )
}
