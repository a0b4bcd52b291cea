import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useId, useRef, useState } from 'react'
import { useKeys } from '../app/keys.ts'
import { longestReason, withReason } from '../app/reason.ts'
import { useSessions } from '../app/session.tsx'
import { t } from '../language/t.ts'
import { Trouble } from './states.tsx'

interface ActProps<T> {
  readonly children: string
  /** What it is called where the same words stand on several of them; they are part of it. */
  readonly name?: string
  /** `why`: what was said for the audit log, or nothing. */
  readonly run: (why: string) => PromiseLike<T>
  readonly then?: (result: T) => void
  readonly isMain?: boolean
  readonly isDisabled?: boolean
  /** What cannot be taken back names itself, and is done by a second press only. */
  readonly confirm?: string | undefined
  /** What it asks in production, where everything is done by a second press only: the act with its object and amount. */
  readonly asks?: string | undefined
  /** What it works on, where that is not the platform that is looked at. */
  readonly of?: { readonly environment: string } | undefined
  /** It reads, counts, or ends one's own session: nobody has to be asked. */
  readonly changesNothing?: boolean
  /** It sends the form that it stands in, once what is filled in can be sent. */
  readonly isSubmit?: boolean
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
 * In production it asks first, whatever a page says of it, and takes the reason for the audit log: nothing is changed there by
 * one press. So do the acts of operators that are about no book, which may say why. An act without words of its own asks by its label.
 */
export function Act<T>(props: ActProps<T>) {
  const { children, name, run, then, isMain, isDisabled, lacks, hasOwnReason, asksWhy, shortcut } = props
  const { of, changesNothing, isSubmit } = props
  const queries = useQueryClient()
  const { session } = useSessions()
  const [isAsking, setAsking] = useState(false)
  const [reason, setReason] = useState('')
  const environment = (of ?? session)?.environment.toLowerCase()
  const isReal = environment === 'production' && !changesNothing
  const isOfAll = environment === undefined && !changesNothing
  const confirm =
    isReal || isOfAll
      ? (props.asks ??
        props.confirm ??
        (isReal
          ? t('{act} in production', { act: name ?? children })
          : t('Yes: {act}', { act: name ?? children })))
      : props.confirm
  const isReasonNeeded = isAsking && isReal && !hasOwnReason
  const isReasoned = isReasonNeeded || (isAsking && !hasOwnReason && (asksWhy === true || isOfAll))
  const why = reason.trim()
  const field = useId()
  const act = useMutation({
    mutationFn: async () => await (why === '' ? run(why) : withReason(why, () => run(why))),
    onSuccess: async (result) => {
      setReason('')
      await queries.invalidateQueries()
      then?.(result)
    },
    onSettled() {
      isUnderWay.current = false
    },
  })
  const isUnderWay = useRef(false)
  const begin = () => {
    // The second click of two comes before the button is drawn anew.
    if (isUnderWay.current) return
    isUnderWay.current = true
    act.mutate()
  }
  const button = useRef<HTMLButtonElement>(null)
  // What asks is answered by hand: a key pressed twice is no answer.
  useKeys(shortcut === undefined || isAsking ? {} : { [shortcut]: () => button.current?.click() })
  return (
    <>
      {isReasoned && (
        <label className="reason" htmlFor={field}>
          <span>
            {isReasonNeeded
              ? t('Reason. The audit log stores it: do not enter names.')
              : t('Reason (optional). The audit log stores it: do not enter names.')}
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
        type={isSubmit ? 'submit' : 'button'}
        aria-keyshortcuts={shortcut}
        aria-label={isAsking ? undefined : name}
        className={[isMain && 'main', isAsking && 'asking'].filter(Boolean).join(' ') || undefined}
        aria-describedby={lacks === undefined ? undefined : `${field}-lacks`}
        disabled={isDisabled || lacks !== undefined || act.isPending || (isReasonNeeded && why === '')}
        onClick={(event) => {
          // The form is sent by this alone.
          event.preventDefault()
          // What asks stands where the finger was: the second press is one of its own, and no half of a double one.
          if (isAsking && event.detail > 1) return
          if (isSubmit && !event.currentTarget.form?.reportValidity()) return
          setAsking(confirm !== undefined && !isAsking)
          if (confirm === undefined || isAsking) begin()
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
