import type { Log } from '@corridor/kernel'
import { isBeingCopied, isUnavailable } from './db/availability.ts'

/** Tests look for it in the logs of the processes that they start. */
const unexpectedMessage = 'unexpected error outside a request'

/**
 * Logs an error of background work. An outage of the database passes by itself, and its start and end are logged once. All else is a
 * fault of Corridor.
 */
export function logOutsideRequest(log: Log, where: string, error: unknown, details: Details = {}): void {
  if (isBeingCopied(error)) {
    log.debug({ where, ...details }, 'background work waits for a copy')
  } else if (isUnavailable(error)) {
    const { message } = error as Error
    log.warn({ where, ...details, error: message }, 'background work is waiting for the database')
  } else {
    logUnexpected(log, where, error, details)
  }
}

/** Logs an error that nothing handles. */
export function logUnexpected(log: Log, where: string, error: unknown, details: Details = {}): void {
  const { name, message, stack } = error instanceof Error ? error : new Error(String(error))
  log.error({ where, ...details, error: { name, message, stack } }, unexpectedMessage)
}

type Details = Readonly<Record<string, unknown>>

/** The same log, which also counts the errors that belong to no request. */
export function countingUnexpected(log: Log, count: (where: string) => void): Log {
  return {
    debug: (...line) => log.debug(...line),
    info: (...line) => log.info(...line),
    warn: (...line) => log.warn(...line),
    error(fields, message) {
      if (message === unexpectedMessage) count((fields as { readonly where: string }).where)
      log.error(fields, message)
    },
  }
}
