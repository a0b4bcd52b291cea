import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useRef, useState } from 'react'
import { useKeys } from '../app/keys.ts'
import { t } from '../language/t.ts'
import { Trouble } from './states.tsx'

interface ActProps<T> {
  readonly children: ReactNode
  /** What it is called where the same words stand on several of them; they are part of it. */
  readonly name?: string
  readonly run: () => PromiseLike<T>
  readonly then?: (result: T) => void
  readonly isMain?: boolean
  readonly isDisabled?: boolean
  /** What cannot be taken back names itself, and is done by a second press only. */
  readonly confirm?: string | undefined
  /** One letter that presses it; for nothing that is dangerous. */
  readonly shortcut?: string
}

/** A button that changes something through the API: while it runs it cannot be pressed again, and an error stays beside it. */
export function Act<T>({ children, name, run, then, isMain, isDisabled, confirm, shortcut }: ActProps<T>) {
  const queries = useQueryClient()
  const [isAsking, setAsking] = useState(false)
  const act = useMutation({
    mutationFn: async () => await run(),
    onSuccess: async (result) => {
      await queries.invalidateQueries()
      then?.(result)
    },
  })
  const button = useRef<HTMLButtonElement>(null)
  useKeys(shortcut === undefined ? {} : { [shortcut]: () => button.current?.click() })
  return (
    <>
      <button
        ref={button}
        type="button"
        aria-keyshortcuts={shortcut}
        aria-label={isAsking ? undefined : name}
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
          {t('No')}
        </button>
      )}
      {act.isError && <Trouble isAnswer error={act.error} />}
    </>
  )
}
