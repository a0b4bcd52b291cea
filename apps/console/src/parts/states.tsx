import { Corridor, type CorridorError } from '@corridor/sdk/index.ts'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { slowestCall } from '../app/calls.ts'
import { programAddressOf } from '../app/console-api.ts'
import { placeNameOf, useSessions } from '../app/session.tsx'
import { words } from '../words.ts'
import { Copy } from './copy.tsx'
import { commandIn } from './in-world.ts'
import { useTiedFields } from './tied-fields.ts'

/** What a page shows while it has nothing else to show: the same on every page. */

/** What waits this long gets a bar, so that what is fast does not flicker. */
const barMs = 400
/** What waits this long says what it waits for. */
const slowMs = 8_000

/** The rows that will come, as high as those of a list with this look; a bar when it takes a moment, and the slowest request by its id when it takes long. */
export function Loading({ look }: { readonly look?: string }) {
  const [waited, setWaited] = useState(0)
  useEffect(() => {
    const timers = [barMs, slowMs].map((ms) => setTimeout(() => setWaited(ms), ms))
    // Afterwards it may be another one that is waited for.
    const looking = setInterval(() => setWaited((ms) => (ms < slowMs ? ms : ms + 1)), 2_000)
    return () => {
      for (const timer of timers) clearTimeout(timer)
      clearInterval(looking)
    }
  }, [])
  const call = waited < slowMs ? undefined : slowestCall()
  return (
    <div className={look === undefined ? 'skeleton' : `skeleton ${look}`} role="status">
      {waited >= barMs && <b className="bar" />}
      {waited >= slowMs ? (
        <p>
          {words.states.slow}
          {call && <span className="muted"> {words.states.slowCall(call.what, call.requestId)}</span>}
        </p>
      ) : (
        <span className="hidden">{words.states.loading}</span>
      )}
      {[0, 1, 2, 3, 4].map((row) => (
        <i key={row} />
      ))}
    </div>
  )
}

/** One sentence, and what fills the page. */
export function Nothing({
  title,
  cli,
  children,
}: {
  readonly title: string
  /** The same as a command. */
  readonly cli?: string
  readonly children?: ReactNode
}) {
  const { session } = useSessions()
  return (
    <div className="nothing">
      <p>{title}</p>
      {children}
      {cli && <code>{commandIn(session, cli)}</code>}
    </div>
  )
}

/** An error with its code, the wrong fields, what to do, its request and another try. It takes no page with it. */
export function Trouble({
  error,
  missing,
  isAnswer = false,
  onRetry,
}: {
  readonly error: unknown
  /** It answers what somebody has just sent, so it gets the focus, and what is wrong is tied to its fields. */
  readonly isAnswer?: boolean
  /** The id that was asked for, where it may not exist. */
  readonly missing?: string
  readonly onRetry?: () => void
}) {
  const { session } = useSessions()
  const where = session ? placeNameOf(session) : ''
  const isApi = error instanceof Corridor.Error
  const known = isApi ? (error as CorridorError) : undefined
  const permission = known?.details.requiredPermission
  const fields = Array.isArray(known?.details.errors)
    ? (known.details.errors as { field?: string; message?: string }[])
    : []
  const box = useRef<HTMLDivElement>(null)
  const id = useId()
  const shown = fields.slice(0, 20).map((each, index) => ({ ...each, saidBy: `${id}-${index}` }))
  useTiedFields(
    box,
    shown.map(({ field, saidBy }) => ({ ...(field === undefined ? {} : { field }), saidBy })),
    isAnswer,
  )
  // Nothing is wrong: somebody may not see this, and whoever gives permissions is told which.
  if (typeof permission === 'string' && !isAnswer) {
    return (
      <div className="nothing" role="alert">
        <p>{words.states.forbidden(permission)}</p>
        {known?.requestId && (
          <p className="muted">
            {words.states.request} {known.requestId}
          </p>
        )}
      </div>
    )
  }
  return (
    <div ref={box} className="trouble" role="alert" tabIndex={-1}>
      <p>
        <strong>{titleOf(error, known, missing && words.states.missing(missing, where), permission)}</strong>
      </p>
      {known && (
        <p className="muted">
          {known.code} · {known.status}
          {known.requestId && ` · ${words.states.request} ${known.requestId}`}
        </p>
      )}
      {known && (
        <p>
          <Advice code={known.code} /> <a href={known.docsUrl}>{words.states.whatToDo}</a>
        </p>
      )}
      {fields.length > 0 && (
        <ul>
          {shown.map(({ field, message, saidBy }) => (
            <li key={saidBy} id={saidBy}>
              <code>{field}</code> {message}
            </li>
          ))}
        </ul>
      )}
      <div className="acts">
        {onRetry && (
          <button type="button" onClick={onRetry}>
            {words.states.retry}
          </button>
        )}
        {known?.curl.includes('/console/api/') && <Copy name="curl" text={() => commandOf(known.curl)} />}
      </div>
    </div>
  )
}

/** The registry's own words; they come by themselves, as most pages have no use for them. */
export function Advice({ code }: { readonly code: string }) {
  const { data } = useQuery({
    queryKey: ['advice'],
    queryFn: async () => (await import('../generated/advice.ts')).advice,
    staleTime: Number.POSITIVE_INFINITY,
  })
  return <>{data?.[code]}</>
}

/** What was refused, to be asked again from a terminal: at the address of programs, with the credential as a variable. */
function commandOf(curl: string): string {
  const asked = programAddressOf(curl)
  return /^curl -X \w+ 'https?:\/\/[^/']+\/operator\//.test(asked)
    ? asked.replace(/-u "[^"]*"/, '-H "authorization: Bearer $CORRIDOR_OPERATOR_KEY"')
    : asked
}

function titleOf(
  error: unknown,
  known: CorridorError | undefined,
  missing: string | undefined,
  permission: unknown,
): string {
  if (known?.details.reason === 'SIGN_IN_AGAIN') return words.signIn.notDone
  if (typeof permission === 'string') return words.states.forbidden(permission)
  if (known?.details.reason === 'AREA') return words.states.otherArea
  if (known?.status === 404 && missing) return missing
  if (known) return sentenceOf(known)
  return error instanceof Error ? error.message : String(error)
}

/** The API's own sentence: its code and its wrong fields, which the SDK puts around it, stand below it here. */
function sentenceOf({ code, status, message, details }: CorridorError): string {
  const sentence = message.replace(`${code} (${status}): `, '')
  const [first] = Array.isArray(details.errors) ? details.errors : []
  const end = first ? sentence.indexOf(`: ${first.field} ${first.message}`) : -1
  return end > 0 ? `${sentence.slice(0, end)}.` : sentence
}
