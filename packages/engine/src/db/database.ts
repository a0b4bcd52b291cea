import { AsyncLocalStorage } from 'node:async_hooks'
import { assert, isUuid, type Result } from '@corridor/kernel'
import type { Failure } from '../http/errors.ts'
import type { Book } from '../http/scope.ts'
import { type Connection, type Driver, isSqlError, type Statement } from './driver.ts'

/**
 * The facade every store uses. Tenancy is locked twice: every statement names its book, and the
 * session runs as a role whose row-level policies show it the rows of that book alone.
 */
export interface Database {
  readonly kind: Driver['kind']
  /** One statement on the rows of one book. */
  read<R>(book: Book, statement: Statement, parameters?: readonly unknown[]): Promise<R[]>
  /** One statement that is a transaction by itself, repeated like one. */
  write<R>(book: Book, statement: Statement, parameters: readonly unknown[]): Promise<R[]>
  /**
   * One transaction on the rows of one book. Commits when `work` returns ok, rolls back when it returns
   * a failure or throws, and repeats it after a serialization failure or a deadlock: `work` must have
   * no effect besides its statements.
   */
  transact<T, F = Failure>(
    book: Book,
    work: (connection: Connection) => Promise<Result<T, F>>,
  ): Promise<Result<T, F>>
  /** Statements that span books (migrations, claims, credentials), past the row-level policies. */
  system<T>(work: (connection: Connection) => Promise<T>): Promise<T>
  close(): Promise<void>
}

const maxRepeats = 8
/**
 * Knows whether the calling code runs inside a transaction. For tests: it slows every promise of the process
 * down.
 */
export class TransactionWatch {
  readonly #open = new AsyncLocalStorage<true>()
  get isInside(): boolean {
    return this.#open.getStore() === true
  }
  run<T>(work: () => T): T {
    return this.#open.run(true, work)
  }
}

const openedMeanwhile: ReadonlySet<string> = new Set(['ledger_accounts_pkey', 'volume_counters_pkey'])

export function createDatabase(driver: Driver, watch?: TransactionWatch): Database {
  return {
    kind: driver.kind,
    read(book, statement, parameters) {
      return driver.use('read', async (connection) => {
        await enter(connection, book)
        return connection.query(statement, parameters)
      })
    },
    write<R>(book: Book, statement: Statement, parameters: readonly unknown[]) {
      return driver.use('write', async (connection) => {
        await enter(connection, book)
        return repeatedly(() => connection.query<R>(statement, parameters))
      })
    },
    transact(book, work) {
      return driver.use('write', async (connection) => {
        await enter(connection, book)
        const once = () => attempt(connection, work)
        return repeatedly(watch ? () => watch.run(once) : once)
      })
    },
    system(work) {
      return driver.use('system', async (connection) => {
        if (connection.session !== '') {
          await connection.script('reset role')
          connection.session = ''
        }
        return work(connection)
      })
    },
    close: () => driver.close(),
  }
}

async function repeatedly<T>(work: () => Promise<T>): Promise<T> {
  for (let repeat = 0; ; repeat++) {
    try {
      return await work()
    } catch (error) {
      if (repeat >= maxRepeats || !isTransient(error)) throw error
    }
  }
}

async function attempt<T, F>(
  connection: Connection,
  work: (connection: Connection) => Promise<Result<T, F>>,
): Promise<Result<T, F>> {
  const answers: Promise<unknown>[] = []
  const answered = async () => {
    for (const outcome of await Promise.allSettled(answers)) {
      if (outcome.status === 'rejected') throw outcome.reason
    }
  }
  function expect<R>(answer: Promise<R>): Promise<R> {
    // Whoever does not wait for it hears of it at the end.
    answer.catch(() => {})
    answers.push(answer)
    return answer
  }
  const recorded: Connection = {
    session: connection.session,
    pipelines: connection.pipelines,
    query: (statement, parameters) => expect(connection.query(statement, parameters)),
    script: (text) => expect(connection.script(text)),
  }
  void recorded.script('begin')
  try {
    const result = await work(recorded)
    if (!connection.pipelines) await answered()
    void recorded.script(result.ok ? 'commit' : 'rollback')
    // After a failed statement the server takes the commit for a rollback, and the failure is thrown here.
    await answered()
    return result
  } catch (error) {
    await connection.script('rollback').catch(() => {})
    throw error
  }
}

/** Tells the session whose rows it may see, unless it knows. */
async function enter(connection: Connection, book: Book): Promise<void> {
  const session = `${book.platformId} ${book.environment}`
  if (connection.session === session) return
  assert(isUuid(book.platformId), 'a platform id is a uuid')
  await connection.script(
    `set role corridor_app; set corridor.platform = '${book.platformId}'; ` +
      `set corridor.environment = '${book.environment}'`,
  )
  connection.session = session
}

/**
 * Serialization failure, deadlock, and an account or counter that another process opened at the same moment:
 * the same transaction may well succeed when repeated.
 */
function isTransient(error: unknown): boolean {
  if (!isSqlError(error)) return false
  return ['40001', '40P01'].includes(error.code) || openedMeanwhile.has(error.constraint ?? '')
}
