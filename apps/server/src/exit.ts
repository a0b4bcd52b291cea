import { DatabaseUnavailable } from '@corridor/engine/mechanisms/db/availability.ts'
import { MigrationRefused } from '@corridor/engine/mechanisms/db/migrate.ts'
import { DamagedDatabase } from '@corridor/engine/mechanisms/db/pglite.ts'
import { StartRefused } from './config.ts'

/** `done`: as asked. `fault`: ours, or the books are unsound. `refused`: the operator has to put something right. */
export const exit = { done: 0, fault: 1, refused: 2 } as const

/** Runs a program to its end and says in plain words what the operator can do about a failure. */
export function run(program: () => Promise<number>): void {
  program().then(
    (code) => process.exit(code),
    (error: unknown) => {
      const refusal = explain(error)
      const fault = error instanceof Error ? error.stack : String(error)
      process.stderr.write(`${refusal ?? fault}\n`)
      process.exit(refusal ? exit.refused : exit.fault)
    },
  )
}

/** What the operator can do about it; undefined for a fault of ours. */
export function explain(error: unknown): string | undefined {
  if (error instanceof StartRefused) return error.message
  if (error instanceof MigrationRefused)
    return `The server did not start, and nothing was changed: ${error.message}.`
  if (error instanceof DamagedDatabase) return damaged(error)
  if (error instanceof DatabaseUnavailable) {
    return (
      explain(error.cause) ??
      `The database does not respond: ${error.message}. Start again when the database responds.`
    )
  }
  const { code, port, address, hostname, path } = (error ?? {}) as {
    code?: string
    port?: number
    address?: string
    hostname?: string
    path?: string
  }
  if (code === 'EADDRINUSE') {
    return `Port ${port} is in use by another process. Stop that process, or choose another PORT (or CORRIDOR_OPERATOR_PORT).`
  }
  if (code === 'EACCES' && port !== undefined) {
    return `You have no permission to open port ${port}. Choose one above 1023 with PORT (or CORRIDOR_OPERATOR_PORT).`
  }
  if (path !== undefined && code !== undefined && fileTroubles.has(code)) {
    return `Cannot write to ${path}: ${fileTroubles.get(code)}. Fix the problem or choose another CORRIDOR_DATA_DIR.`
  }
  if (address?.startsWith('/')) {
    return `No PostgreSQL server responds at the socket ${address} of DATABASE_URL, or you have no permission to open it.`
  }
  if (code === 'ENOTFOUND') {
    return `This machine cannot resolve the host name in HOST or DATABASE_URL: ${hostname}.`
  }
  if (code === 'EADDRNOTAVAIL') {
    return `The address ${address} is not available on this machine. Check HOST (or CORRIDOR_OPERATOR_HOST).`
  }
  if (code === 'ECONNREFUSED' || code === 'ETIMEDOUT' || code === 'EHOSTUNREACH') {
    return `No PostgreSQL server responds at DATABASE_URL (${address}:${port}).`
  }
  if (code === '28P01' || code === '28000' || code === '3D000') {
    return 'The PostgreSQL server rejects the user, the password or the database in DATABASE_URL or CORRIDOR_MIGRATE_DATABASE_URL.'
  }
  if (code === '57P03') {
    return 'The PostgreSQL server of DATABASE_URL is starting, recovering or stopping. Start again in a moment.'
  }
  if (code === '53300') {
    return 'The PostgreSQL server of DATABASE_URL has no free connection. Raise max_connections or close other connections.'
  }
  if (code !== undefined && damages.has(code)) {
    return `The database is damaged: ${error instanceof Error ? error.message : code}. ${restore}`
  }
  if (code === '42501') {
    return 'The user of DATABASE_URL lacks rights. Use a user that owns the tables and can create roles, or set CORRIDOR_MIGRATE_DATABASE_URL to a URL with such a user. See docs/guides/database-users.md.'
  }
  return undefined
}

/** What PostgreSQL says when a file of its own is missing or holds something else. */
const damages: ReadonlySet<string> = new Set(['XX001', 'XX002', '58P01'])

const restore =
  'Restore a copy that was made while the server was stopped, together with its master key. If you do not need the data, move the database away and start again. Corridor then creates a new database.'

function damaged({ message }: DamagedDatabase): string {
  return `The embedded database is damaged, or its disk is full: ${message}. ${restore}`
}

const fileTroubles = new Map([
  ['EACCES', 'you have no permission'],
  ['EPERM', 'you have no permission'],
  ['EROFS', 'the file system is read-only'],
  ['ENOSPC', 'the disk is full'],
  ['EDQUOT', 'the disk quota is exceeded'],
])
