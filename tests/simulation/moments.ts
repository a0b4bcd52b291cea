import type { Connection, Driver, Lane, Statement } from '@corridor/engine/mechanisms/db/driver.ts'

/** A moment in the life of a process: before it asks its database for something, or after the answer. */
export interface Moment {
  readonly when: 'before' | 'after'
  readonly lane: Lane
  /** Name of a statement; absent: any that is not part of a transaction, or the commit of one. */
  readonly statement?: string
}

/** Stops a process once, at a moment that a test has chosen. */
export interface Trap {
  /** What happens then. The process goes on when it is over. */
  set(moment: Moment, act: () => Promise<void>): void
  /** Whether the moment has come. */
  readonly isSprung: boolean
  readonly watch: (driver: Driver) => Driver
}

export function createTrap(): Trap {
  let armed: { readonly moment: Moment; readonly act: () => Promise<void> } | undefined
  let isSprung = true
  const originals = new WeakMap<Connection, Connection>()

  function meets(when: Moment['when'], lane: Lane, name: string): boolean {
    if (armed === undefined) return false
    const { moment } = armed
    return (
      moment.when === when &&
      moment.lane === lane &&
      (moment.statement === undefined || moment.statement === name)
    )
  }

  function spring(): Promise<void> {
    const { act } = armed!
    armed = undefined
    isSprung = true
    return act()
  }

  /** Synchronous until the moment has come: statements are sent in the order in which they are asked for. */
  function around<T>(lane: Lane, name: string, forward: () => Promise<T>): Promise<T> {
    if (meets('before', lane, name)) return spring().then(forward)
    const answer = forward()
    if (!meets('after', lane, name)) return answer
    return answer.then(async (value) => {
      await spring()
      return value
    })
  }

  function watched(lane: Lane, connection: Connection): Connection {
    let isInside = false
    const seen: Connection = {
      session: connection.session,
      pipelines: connection.pipelines,
      query<R>(statement: Statement, parameters?: readonly unknown[]) {
        const forward = () => connection.query<R>(statement, parameters)
        // Of a transaction only its commit is a moment. What opens the view of a book reads no rows of it.
        const isPart = isInside || statement.name.startsWith('claims.')
        return isPart ? forward() : around(lane, statement.name, forward)
      },
      script(text) {
        if (text === 'begin') isInside = true
        if (text !== 'commit') return connection.script(text)
        isInside = false
        return around(lane, text, () => connection.script(text))
      },
    }
    originals.set(seen, connection)
    return seen
  }

  return {
    set(moment, act) {
      armed = { moment, act }
      isSprung = false
    },
    get isSprung() {
      return isSprung
    },
    watch: (driver) => ({
      ...driver,
      use: (lane, work) => driver.use(lane, (connection) => work(watched(lane, connection))),
      ended: (connection) => driver.ended(originals.get(connection) ?? connection),
    }),
  }
}
