import { Corridor, type CorridorError } from '@corridor/sdk/index.ts'
import type { ReactNode } from 'react'
import { words } from '../words.ts'

/** What a page shows while it has nothing else to show: the same on every page. */

export function Loading() {
  return (
    <div className="skeleton" role="status">
      <span className="hidden">{words.states.loading}</span>
      {[0, 1, 2, 3, 4].map((row) => (
        <i key={row} />
      ))}
    </div>
  )
}

/** One sentence, and what fills the page. */
export function Nothing({ title, children }: { readonly title: string; readonly children?: ReactNode }) {
  return (
    <div className="nothing">
      <p>{title}</p>
      {children}
    </div>
  )
}

/** An error with its code, the wrong fields, what to do, its request and another try. It takes no page with it. */
export function Trouble({
  error,
  missing,
  onRetry,
}: {
  readonly error: unknown
  /** The id that was asked for, where it may not exist. */
  readonly missing?: string
  readonly onRetry?: () => void
}) {
  const isApi = error instanceof Corridor.Error
  const known = isApi ? (error as CorridorError) : undefined
  const permission = known?.details.requiredPermission
  const fields = Array.isArray(known?.details.errors)
    ? (known.details.errors as { field?: string; message?: string }[])
    : []
  return (
    <div className="trouble" role="alert">
      <p>
        <strong>{titleOf(error, known, missing, permission)}</strong>
      </p>
      {known && (
        <p className="muted">
          {known.code} · {known.status}
          {known.requestId && ` · ${words.states.request} ${known.requestId}`}
          {' · '}
          <a href={known.docsUrl}>{words.states.whatToDo}</a>
        </p>
      )}
      {fields.length > 0 && (
        <ul>
          {fields.slice(0, 20).map(({ field, message }) => (
            <li key={`${field} ${message}`}>
              <code>{field}</code> {message}
            </li>
          ))}
        </ul>
      )}
      {onRetry && (
        <button type="button" onClick={onRetry}>
          {words.states.retry}
        </button>
      )}
    </div>
  )
}

function titleOf(
  error: unknown,
  known: CorridorError | undefined,
  missing: string | undefined,
  permission: unknown,
): string {
  if (known?.details.reason === 'SIGN_IN_AGAIN') return words.signIn.notDone
  if (typeof permission === 'string') return words.states.forbidden(permission)
  if (known?.status === 404 && missing) return words.states.missing(missing)
  return error instanceof Error ? error.message : String(error)
}
