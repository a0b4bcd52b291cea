import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useId, useRef, useState } from 'react'
import { useKeys } from '../app/keys.ts'
import { longestReason, withReason } from '../app/reason.ts'
import { useSessions } from '../app/session.tsx'
import { t } from '../language/t.ts'
import { Trouble } from './states.tsx'

interface ActProps<T> {
  readonly children: ReactNode
  /** What it is called where the same words stand on several of them; they are part of it. */
  readonly name?: string
  /** `why`: what was said for the audit log, or nothing. */
  readonly run: (why: string) => PromiseLike<T>
  readonly then?: (result: T) => void
  readonly isMain?: boolean
  readonly isDisabled?: boolean
  /** What cannot be taken back names itself, and is done by a second press only. */
  readonly confirm?: string | undefined
  /** What has to be filled in or chosen before, in words: until then it cannot be pressed, and says so. */
  readonly lacks?: string | undefined
  /** The request says why in a field of its own. */
  readonly hasOwnReason?: boolean
  /** Where it asks twice it may be said why in a sandbox, too. */
  readonly asksWhy?: boolean
  /** One letter that presses it; for nothing that is dangerous. */
  readonly shortcut?: string
}

/**
 * A button that changes something through the API: while it runs it cannot be pressed again, and an error stays beside it.
 * What asks twice asks why as well where it is done in production, for the audit log.
 */
export function Act<T>(props: ActProps<T>) {
  const { children, name, run, then, isMain, isDisabled, confirm, lacks, hasOwnReason, asksWhy, shortcut } =
    props
  const queries = useQueryClient()
  const { session } = useSessions()
  const [isAsking, setAsking] = useState(false)
  const [reason, setReason] = useState('')
  const isReasonNeeded = isAsking && session?.environment === 'production' && !hasOwnReason
  const isReasoned = isReasonNeeded || (isAsking && asksWhy === true)
  const why = reason.trim()
  const field = useId()
  const act = useMutation({
    mutationFn: async () => await (why === '' ? run(why) : withReason(why, () => run(why))),
    onSuccess: async (result) => {
      setReason('')
      await queries.invalidateQueries()
      then?.(result)
    },
  })
  const button = useRef<HTMLButtonElement>(null)
  useKeys(shortcut === undefined ? {} : { [shortcut]: () => button.current?.click() })
  return (
    <>
      {isReasoned && (
        <label className="reason" htmlFor={field}>
          <span>
            {isReasonNeeded
              ? t('Why? The audit log keeps it: name no person.')
              : t('Why, if you say so? The audit log keeps it: name no person.')}
          </span>
          <input
            id={field}
            value={reason}
            maxLength={longestReason}
            onChange={(event) => setReason(event.target.value)}
          />
        </label>
      )}
      <button
        ref={button}
        type="button"
        aria-keyshortcuts={shortcut}
        aria-label={isAsking ? undefined : name}
        className={[isMain && 'main', isAsking && 'asking'].filter(Boolean).join(' ') || undefined}
        aria-describedby={lacks === undefined ? undefined : `${field}-lacks`}
        disabled={isDisabled || lacks !== undefined || act.isPending || (isReasonNeeded && why === '')}
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
      {lacks !== undefined && (
        <span id={`${field}-lacks`} className="muted">
          {lacks}
        </span>
      )}
      {act.isError && <Trouble isAnswer error={act.error} />}
    </>
  )
}
