import { AsyncLocalStorage } from 'node:async_hooks'
import { assert, isId, isUuid, type Result } from '@corridor/kernel'
import type { Failure } from '../../vocabulary/errors.ts'
import type { Book } from '../../vocabulary/scope.ts'
import { isAnswer } from './availability.ts'
import { enter, enterAllBooks, enterAsLogin } from './claims.ts'
import { type Connection, type Driver, isSqlError, type Statement } from './driver.ts'
import { type Fate, isRefusal, judge } from './outcome.ts'

/**
 * The facade every store uses. Tenancy is locked twice: every statement names its book, and the
 * session runs as a role whose row-level policies show it the rows of the book that it has a claim to (claims.ts).
 */
export interface Database extends Pick<Driver, 'server' | 'whenDurable' | 'confirm'> {
  readonly kind: Driver['kind']
  /** One statement on the rows of one book. */
  read<R>(book: Book, statement: Statement, parameters?: readonly unknown[]): Promise<R[]>
  /** One statement that is a transaction by itself, repeated like one. Fails like one, too. */
  write<R>(book: Book, statement: Statement, parameters: readonly unknown[]): Promise<R[]>
  /**
   * One transaction on the rows of one book. Commits when `work` returns ok, rolls back when it returns
   * a failure or throws, and repeats it after a serialization failure or a deadlock: `work` must have
   * no effect besides its statements. When the connection is lost it throws `NotCommitted`, or
   * `OutcomeUnknown` once the commit was asked for (outcome.ts).
   */
  transact<T, F = Failure>(
    book: Book,
    work: (connection: Connection) => Promise<Result<T, F>>,
  ): Promise<Result<T, F>>
  /** Statements that span books (claims of jobs, credentials). */
  system<T>(work: (connection: Connection) => Promise<T>): Promise<T>
  /** The same for what may take long: audits, statistics. Nothing that a request waits for. */
  maintenance<T>(work: (connection: Connection) => Promise<T>): Promise<T>
  /** The same with the rights of the login, which may own the tables: migrations. */
  asLogin<T>(work: (connection: Connection) => Promise<T>): Promise<T>
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
    server: () => driver.server(),
    whenDurable: (since) => driver.whenDurable(since),
    confirm: (since) => driver.confirm(since),
    read(book, statement, parameters) {
      return driver.use('read', async (connection) => {
        await enterBook(connection, book)
        return connection.query(statement, parameters)
      })
    },
    write<R>(book: Book, statement: Statement, parameters: readonly unknown[]) {
      return judged(driver, async (connection, fate) => {
        await enterBook(connection, book)
        return repeatedly(() => {
          fate.isBegun = true
          const answer = connection.query<R>(statement, parameters)
          fate.isCommitAsked = true
          return heeded(answer, fate)
        })
      })
    },
    transact(book, work) {
      return judged(driver, async (connection, fate) => {
        await enterBook(connection, book)
        const once = () => attempt(connection, work, fate)
        return repeatedly(watch ? () => watch.run(once) : once)
      })
    },
    system: (work) =>
      driver.use('system', (connection) => enterAllBooks(connection).then(() => work(connection))),
    maintenance: (work) =>
      driver.use('maintenance', (connection) => enterAllBooks(connection).then(() => work(connection))),
    asLogin: (work) =>
      driver.use('maintenance', (connection) => enterAsLogin(connection).then(() => work(connection))),
    close: () => driver.close(),
  }
}

/** Work on a connection for writing; when that is lost, the error says what is known of the commit. */
async function judged<T>(
  driver: Driver,
  work: (connection: Connection, fate: Fate) => Promise<T>,
): Promise<T> {
  const fate: Fate = { isBegun: false, isCommitAsked: false, isLost: false, isOver: async () => {} }
  try {
    return await driver.use('write', (connection) => {
      fate.isOver = () => driver.ended(connection)
      return work(connection, fate)
    })
  } catch (error) {
    throw judge(error, fate)
  }
}

function heeded<T>(answer: Promise<T>, fate: Fate): Promise<T> {
  answer.catch((error: unknown) => {
    if (!isRefusal(error)) fate.isLost = true
  })
  return answer
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
  fate: Fate,
): Promise<Result<T, F>> {
  Object.assign(fate, { isBegun: true, isCommitAsked: false, isLost: false })
  const answers: Promise<unknown>[] = []
  const answered = async () => {
    for (const outcome of await Promise.allSettled(answers)) {
      if (outcome.status === 'rejected') throw outcome.reason
    }
  }
  function expect<R>(answer: Promise<R>): Promise<R> {
    // Whoever does not wait for it hears of it at the end.
    heeded(answer, fate)
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
    fate.isCommitAsked = result.ok
    void recorded.script(result.ok ? 'commit' : 'rollback')
    // After a failed statement the server takes the commit for a rollback, and the failure is thrown here.
    await answered()
    return result
  } catch (error) {
    // A lost connection cannot respond. If the server reported the error, the driver lends the connection again.
    if (isAnswer(error) || !fate.isLost || !connection.pipelines)
      await connection.script('rollback').catch(() => {})
    throw error
  }
}

/** Lets the session see the rows of one book, or of one customer of it. */
async function enterBook(connection: Connection, book: Book): Promise<void> {
  const customerId = book.actor?.customerId
  assert(isUuid(book.platformId), 'a platform id is a uuid')
  assert(
    customerId === undefined || isId('Customer', customerId),
    'an actor is bound to the id of a customer',
  )
  const { platformId, environment } = book
  const role = customerId === undefined ? 'corridor_app' : 'corridor_bound'
  await enter(connection, role, { platformId, environment, customerId })
}

/**
 * Serialization failure, deadlock, and an account or counter that another process opened at the same moment:
 * the same transaction may well succeed when repeated.
 */
function isTransient(error: unknown): boolean {
  if (!isSqlError(error)) return false
  return ['40001', '40P01'].includes(error.code) || openedMeanwhile.has(error.constraint ?? '')
}
