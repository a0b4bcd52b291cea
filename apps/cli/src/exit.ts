import { Corridor } from '@corridor/sdk'

/** What the command line ends with, so that scripts can tell one failure from another. */
export const exit = {
  done: 0,
  refused: 1,
  usage: 2,
  unreachable: 3,
  serverFault: 4,
  checkFailed: 5,
  timedOut: 6,
  unconfirmed: 7,
  /** As shells say of what Ctrl-C ended. */
  interrupted: 130,
} as const

/** A failure that the command line finds itself: what, why, and what to do. */
export class CommandFailure extends Error {
  readonly code: number
  readonly advice: string | undefined

  constructor(code: number, message: string, advice?: string) {
    super(message)
    this.code = code
    this.advice = advice
  }
}

export const misused = (message: string, advice?: string) => new CommandFailure(exit.usage, message, advice)

function lacking({ requiredPermission }: Readonly<Record<string, unknown>>): string[] {
  return typeof requiredPermission === 'string'
    ? [`The request needs the permission ${requiredPermission}.`]
    : []
}

/** The exit code of an error, and its lines for a person: what, why, what to do. */
export function explained(error: unknown): { code: number; lines: string[] } {
  if (error instanceof CommandFailure) {
    return { code: error.code, lines: [error.message, ...(error.advice ? [error.advice] : [])] }
  }
  if (error instanceof Corridor.Error) {
    return {
      code: error.status >= 500 ? exit.serverFault : exit.refused,
      lines: [
        error.message,
        ...lacking(error.details),
        ...(error.retryable ? ['Retry the same request later with the same idempotency key.'] : []),
        `${error.docsUrl}${error.requestId ? `   request ${error.requestId}` : ''}`,
      ],
    }
  }
  if (error instanceof Corridor.TimeoutError) return { code: exit.timedOut, lines: [error.message] }
  if (error instanceof Corridor.ConnectionError) {
    // Of what may have been done nobody is led to think that nothing was there.
    const advice = error.isWithoutEffect
      ? ['Check that the server is running, or start one with corridor dev.']
      : []
    return { code: exit.unreachable, lines: [error.message, ...advice] }
  }
  if (error instanceof RangeError || error instanceof TypeError) {
    return { code: exit.usage, lines: [error.message] }
  }
  return {
    code: exit.serverFault,
    lines: [error instanceof Error ? (error.stack ?? error.message) : String(error)],
  }
}
