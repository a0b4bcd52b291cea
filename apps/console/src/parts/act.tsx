import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { Trouble } from './states.tsx'

interface ActProps<T> {
  readonly children: ReactNode
  readonly run: () => PromiseLike<T>
  readonly then?: (result: T) => void
  readonly isMain?: boolean
  readonly isDisabled?: boolean
  /** What cannot be taken back names itself, and is done by a second press only. */
  readonly confirm?: string | undefined
}

/** A button that changes something through the API: while it runs it cannot be pressed again, and an error stays beside it. */
export function Act<T>({ children, run, then, isMain, isDisabled, confirm }: ActProps<T>) {
  const queries = useQueryClient()
  const [isAsking, setAsking] = useState(false)
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
        onClick={() => {
          setAsking(confirm !== undefined && !isAsking)
          if (confirm === undefined || isAsking) act.mutate()
        }}
      >
        {isAsking ? confirm : children}
      </button>
      {isAsking && (
        <button type="button" onClick={() => setAsking(false)}>
          No
        </button>
      )}
      {act.isError && <Trouble error={act.error} />}
    </>
  )
}
