import { createHash } from 'node:crypto'
import { DatabaseUnavailable, isAnswer } from '@corridor/engine/mechanisms/db/availability.ts'
import { resetRole } from '@corridor/engine/mechanisms/db/claims.ts'
import { type Driver, isSqlError, statement } from '@corridor/engine/mechanisms/db/driver.ts'
import { fail } from '@corridor/engine/vocabulary/errors.ts'
import type { Log } from '@corridor/kernel'
import pg from 'pg'
import { type About, CopyRefused, type Place, type Went, type WorldStore } from './store.ts'

/**
 * Copies of a database of a PostgreSQL server: databases beside it, made with it as their template, which takes that
 * nobody is connected to it. A comment on each says what it is a copy of, so that a server finds its own again.
 */
export function postgresqlStore(parts: {
  /** Of the installation's database, under a login that may make databases and owns it. */
  readonly ownerUrl: string
  /** Opens the database of this name. */
  readonly open: (name: string | undefined) => Promise<Driver>
  readonly limit: number
  /** How many the database of the installation takes at most, and how many each fork does. */
  readonly connections: { readonly main: number; readonly fork: number }
  readonly log: Log
  readonly sleep: (ms: number) => Promise<void>
}): WorldStore & { mend(place: Place): Promise<void> } {
  const main = databaseOf(parts.ownerUrl)
  const nameOf = (place: Place) => (place === 'main' ? main : copyName(main, place))
  const open = (place: Place) => parts.open(place === 'main' ? undefined : nameOf(place))
  /** Where a copy is made: of this installation and no other, so that whoever finds it knows whose it is. */
  const unfinished = copyName(main, 'unfinished')
  /** The one that is to take its place, the one whose place it takes, and what earlier releases called that. */
  const besides = (at: Place) => ({
    next: copyName(main, `${at} next`),
    before: copyName(main, `${at} before`),
    gone: copyName(main, `${at} gone`),
    last: copyName(main, `${at} last`),
  })

  /**
   * Puts a database back that a process was killed in the middle of replacing: of the copy nobody knows yet whether it can
   * be served, and nobody was told of it. Once that is known the one of before has another name (`leave`).
   */
  async function mend(place: Place): Promise<void> {
    const { next, before, gone } = besides(place)
    await admin(async (client) => {
      await endDeciding(client, nameOf(place))
      await dropWith(client, gone)
      const { rows } = await client.query<{ isWhole: boolean }>(
        `select datconnlimit <> -2 as "isWhole" from pg_database where datname = $1`,
        [before],
      )
      // What cannot be connected to any more was being removed, by a release that did so under this name.
      if (!rows[0]?.isWhole) {
        for (const left of [before, next]) await dropWith(client, left)
        return
      }
      await assertAlone(client, nameOf(place))
      await dropWith(client, next)
      await exchange(client, { name: nameOf(place), by: before, before: next })
      await dropWith(client, next)
    })
  }

  /**
   * From here on what took its place stays, whatever becomes of this process. By a new name first: to remove a database is
   * no matter of a moment, and half removed it must not be taken for what is to be put back.
   */
  async function leave(place: Place): Promise<void> {
    const { before, gone } = besides(place)
    await admin(async (client) => {
      await endDeciding(client, nameOf(place))
      await dropWith(client, gone)
      const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [before])
      if (rowCount) await decide(client, nameOf(place), () => rename(client, before, gone))
    })
    await admin((client) => dropWith(client, gone)).catch((error: Error) => {
      parts.log.warn(
        { error: error.message },
        'could not remove the database that a restore replaced; retrying',
      )
    })
  }

  /**
   * What a world cannot go on without: whether what was asked has happened is not known where no answer came, and whoever gave up
   * would leave it without a database. Until it is known the world is away, as its server is.
   */
  async function certainly<T>(work: () => Promise<T>): Promise<T> {
    for (let pauseMs = 100; ; pauseMs = Math.min(2 * pauseMs, 5_000)) {
      try {
        return await work()
      } catch (error) {
        parts.log.error(
          { error: (error as Error).message },
          'the database of a sandbox is not available yet; retrying',
        )
        await parts.sleep(pauseMs)
      }
    }
  }

  /** On the server's own database: a template has no sessions. A fork asks five times in a tenth of a second. */
  const admins = new pg.Pool({
    connectionString: urlOfDatabase(parts.ownerUrl, 'postgres'),
    application_name: 'corridor worlds',
    max: mostAdmins,
    idleTimeoutMillis: 5_000,
    allowExitOnIdle: true,
  })
  // A lost connection fails what is asked next; without a listener it would end the process.
  admins.on('error', () => {})
  const lost = new WeakSet<pg.ClientBase>()
  admins.on('connect', (client) => client.on('error', () => lost.add(client)))

  /** One that answers: of a session that ended while it was asked nothing nobody may have heard yet. */
  async function answering(): Promise<pg.PoolClient> {
    for (let left = mostAdmins; ; left--) {
      const client = await admins.connect()
      try {
        await client.query('')
        return client
      } catch (error) {
        client.release(true)
        if (left === 0) throw error
      }
    }
  }

  async function admin<T>(work: (client: pg.ClientBase) => Promise<T>): Promise<T> {
    let client: pg.PoolClient | undefined
    try {
      client = await answering()
      const done = await work(client)
      client.release()
      return done
    } catch (error) {
      // It may be in the middle of a transaction.
      client?.release(true)
      const isAway = !isAnswer(error) && (client === undefined || lost.has(client))
      if (isAway) throw new DatabaseUnavailable('AWAY', (error as Error).message, error)
      throw refusalOf(error) ?? error
    }
  }

  async function describeWith(
    client: pg.ClientBase,
    place: Place,
    about: About,
    name = nameOf(place),
  ): Promise<void> {
    const text = JSON.stringify({ corridor: main, place, about } satisfies Comment)
    await client.query(
      `comment on database ${client.escapeIdentifier(name)} is ${client.escapeLiteral(text)}`,
    )
  }

  /** Copies of this installation. One whose removal was cut is not whole: nobody can connect to it any more. */
  async function ownWith(client: pg.ClientBase) {
    const { rows } = await client.query<{ name: string; text: string | null; isWhole: boolean }>(
      `select datname as name, shobj_description(oid, 'pg_database') as text, datconnlimit <> -2 as "isWhole"
       from pg_database where datname like 'corridor\\_copy\\_%' order by datname`,
    )
    return rows.flatMap(({ name, text, isWhole }) => {
      if (!text) return []
      const comment = JSON.parse(text) as Comment
      // Not what a restore that was killed left beside it, which says the same of itself.
      return comment.corridor === main && name === nameOf(comment.place) ? [{ name, comment, isWhole }] : []
    })
  }

  async function copyWith(client: pg.ClientBase, from: string, to: string): Promise<void> {
    const [source, target] = [client.escapeIdentifier(from), client.escapeIdentifier(to)]
    await dropWith(client, to)
    await client.query(`create database ${target} template ${source} strategy ${await fasterWayOf(client)}`)
    // As migration 0037 does; the rights to a database are not copied with it.
    await client.query(`revoke temporary on database ${target} from public`)
  }

  /** What lies beside a place that is no more, or is made anew: whoever opens the next one of its name would put it back. */
  async function dropBesides(client: pg.ClientBase, place: Place): Promise<void> {
    for (const name of Object.values(besides(place))) await dropWith(client, name)
  }

  /** It gets its name with what is said about it: under that name there is never one of which nobody knows whose it is. */
  async function makeWith(client: pg.ClientBase, from: Place, to: Place, about: About): Promise<void> {
    await copyWith(client, nameOf(from), unfinished)
    await dropWith(client, nameOf(to))
    await dropBesides(client, to)
    await client.query('begin')
    await describeWith(client, to, about, unfinished)
    await rename(client, unfinished, nameOf(to))
    await client.query('commit')
  }

  /** Refuses a fork that the server has no connections for: it would take them from those who are there already. */
  async function assertRoom(client: pg.ClientBase, to: Place): Promise<void> {
    if (!to.startsWith('world/')) return
    const { rows } = await client.query<{ free: number }>(freeConnections, [main])
    const { main: ofMain, fork } = parts.connections
    if (rows[0]!.free < ofMain + fork)
      throw new CopyRefused(fail('CONFLICT', { reason: 'TOO_FEW_CONNECTIONS' }))
  }

  async function whileClosed(
    driver: Driver,
    place: Place,
    work: (client: pg.ClientBase) => Promise<void>,
    undo: () => Promise<void> = async () => {},
  ): Promise<Went> {
    await driver.close()
    try {
      await admin(async (client) => {
        await assertAlone(client, nameOf(place))
        await work(client)
      })
    } catch (error) {
      const isRefused = error instanceof CopyRefused
      if (!isRefused) parts.log.error({ error: (error as Error).message }, 'could not copy a database')
      await certainly(undo)
      const refused = isRefused ? error.failure : fail('SERVICE_UNAVAILABLE')
      return { driver: await certainly(() => open(place)), refused }
    }
    return { driver: await certainly(() => open(place)) }
  }

  return {
    limit: parts.limit,
    mend,
    async open(place) {
      await mend(place)
      return open(place)
    },
    copy: (from, to, about) =>
      admin(async (client) => {
        await assertRoom(client, to)
        await makeWith(client, from, to, about)
      }),
    describe: (place, about) => admin((client) => describeWith(client, place, about)),
    async list() {
      const own = await admin((client) => ownWith(client))
      return own.flatMap(({ comment, isWhole }) => (isWhole ? [comment] : []))
    },
    copyOpen: (driver, from, to, about) =>
      whileClosed(driver, from, async (client) => {
        await assertRoom(client, to)
        await makeWith(client, from, to, about)
      }),
    async replace(driver, at, from, examine) {
      const { next, before, last } = besides(at)
      // What is served stays, also where it is not known since the start whether a restore was broken off.
      await leave(at)
      let copy = ''
      const replacing = async (client: pg.ClientBase) => {
        await copyWith(client, nameOf(from), next)
        copy = await identityOf(client, next)
        await dropWith(client, last)
        await exchange(client, { name: nameOf(at), by: next, before })
      }
      const went = await whileClosed(driver, at, replacing, () => mend(at))
      if (went.refused) return went
      const refused = (await isOn(went.driver, copy)) ? await examine(went.driver) : putBackByOther
      if (!refused) {
        await certainly(() => leave(at))
        const left = await certainly(() => admin((client) => identityOf(client, nameOf(at))))
        return left === copy ? went : { ...went, refused: putBackByOther }
      }
      await went.driver.close()
      await certainly(() => mend(at))
      return { driver: await certainly(() => open(at)), refused }
    },
    async drop(place) {
      // What a restore that was killed has left beside it would take the place of the next one of its name.
      await mend(place)
      await admin(async (client) => {
        await dropBesides(client, place)
        await dropWith(client, nameOf(place))
      })
    },
    sweep: () =>
      admin(async (client) => {
        await dropWith(client, unfinished)
        for (const { name, comment, isWhole } of await ownWith(client)) {
          if (isWhole) continue
          await dropBesides(client, comment.place)
          await dropWith(client, name)
        }
      }),
  }
}

/** Those that the installation's own database has are not counted: it may have all that it is to have at any time. */
const freeConnections = `
  select current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
    - coalesce(current_setting('reserved_connections', true)::int, 0)
    - coalesce(sum(numbackends) filter (where datname <> $1), 0)::int as free
  from pg_stat_database`

/**
 * How this server copies a database soonest. Where it flushes what it writes it does so for each of a thousand files, which takes
 * several times as long as logging their pages; where it does not, as servers of tests are set, the files are sooner copied.
 */
async function fasterWayOf(client: pg.ClientBase): Promise<'wal_log' | 'file_copy'> {
  const { rows } = await client.query<{ fsync: string }>("select current_setting('fsync') as fsync")
  return rows[0]!.fsync === 'off' ? 'file_copy' : 'wal_log'
}

interface Comment {
  readonly corridor: string
  readonly place: Place
  readonly about: About
}

/** Names of databases have 63 bytes, too few for the two that a copy has. */
function copyName(main: string, place: string): string {
  const digest = createHash('sha256').update(`${main} ${place}`).digest('hex').slice(0, 24)
  return `corridor_copy_${digest}`
}

const leaveWithinMs = 2_000
/** Most of what is asked of the server's own database takes one. */
const mostAdmins = 4

/** Sessions that were closed take a moment to be gone. */
async function assertAlone(client: pg.ClientBase, name: string): Promise<void> {
  for (const until = performance.now() + leaveWithinMs; ; ) {
    const { rows } = await client.query<{ count: string }>(
      // What cleans up by itself makes way for a copy.
      "select count(*) from pg_stat_activity where datname = $1 and backend_type = 'client backend'",
      [name],
    )
    if (rows[0]!.count === '0') return
    if (performance.now() > until) throw new CopyRefused(fail('CONFLICT', { reason: 'OTHERS_CONNECTED' }))
    await client.query('select pg_sleep(0.01)')
  }
}

async function dropWith(client: pg.ClientBase, name: string): Promise<void> {
  await client.query(`drop database if exists ${client.escapeIdentifier(name)} with (force)`)
}

/**
 * Changes which database has the name of a world: all of it or nothing, and not after somebody else has looked. Where the answer
 * to a commit is lost that may be done still, or be done later; whoever decides next ends it first (`endDeciding`).
 */
async function decide(client: pg.ClientBase, name: string, work: () => Promise<void>): Promise<void> {
  await client.query('begin')
  await client.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [deciding(name)])
  await work()
  await client.query('commit')
}

/** Ends whoever decides, and waits until he has: from then on what stands is what became of it. */
async function endDeciding(client: pg.ClientBase, name: string): Promise<void> {
  for (;;) {
    const { rowCount } = await client.query(whoDecides, [deciding(name)])
    if (rowCount === 0) return
    await client.query('select pg_sleep(0.01)')
  }
}

/** A process that starts puts back what a restore was in the middle of, as if that had been killed, where nobody is connected. */
const putBackByOther = fail('SERVICE_UNAVAILABLE')

/** Which database has a name: names change, this does not. Empty where there is none. */
async function identityOf(client: pg.ClientBase, name: string): Promise<string> {
  const { rows } = await client.query<{ oid: string }>(
    'select oid::text as oid from pg_database where datname = $1',
    [name],
  )
  return rows[0]?.oid ?? ''
}

const identityOfThis = statement(
  'worlds.identity',
  'select oid::text as oid from pg_database where datname = current_database()',
)

/** Whether it is this database: from then on nobody gives its name to another, for it is connected. */
async function isOn(driver: Driver, identity: string): Promise<boolean> {
  const found = await driver
    .use('maintenance', async (connection) => {
      await resetRole(connection)
      return connection.query<{ oid: string }>(identityOfThis)
    })
    .catch(() => [])
  return found[0]?.oid === identity
}

const deciding = (name: string) => `corridor worlds ${name}`

/** A lock of one number is listed with its halves. */
const whoDecides = `
  select pg_terminate_backend(pid) from pg_locks
  where locktype = 'advisory' and objsubid = 1 and pid <> pg_backend_pid()
    and database = (select oid from pg_database where datname = current_database())
    and (classid::bigint << 32) | objid::bigint = hashtextextended($1, 0)`

/**
 * Gives a database the name of another, with what is said about that one. Whoever is killed between the two names would leave none
 * under the one that is looked for.
 */
async function exchange(
  client: pg.ClientBase,
  { name, by, before }: { readonly name: string; readonly by: string; readonly before: string },
): Promise<void> {
  const { rows } = await client.query<{ text: string | null }>(
    `select shobj_description(oid, 'pg_database') as text from pg_database where datname = $1`,
    [name],
  )
  const text = rows[0]?.text
  const comment = (on: string, said: string) =>
    client.query(`comment on database ${client.escapeIdentifier(on)} is ${said}`)
  await decide(client, name, async () => {
    await rename(client, name, before)
    await rename(client, by, name)
    if (!text) return
    await comment(before, 'null')
    await comment(name, client.escapeLiteral(text))
  })
}

async function rename(client: pg.ClientBase, from: string, to: string): Promise<void> {
  await client.query(
    `alter database ${client.escapeIdentifier(from)} rename to ${client.escapeIdentifier(to)}`,
  )
}

function refusalOf(error: unknown): CopyRefused | undefined {
  if (!isSqlError(error)) return undefined
  // The second is what a login hears of a database that lets nobody in.
  if (error.code === '42501' || isShut(error))
    return new CopyRefused(fail('CONFLICT', { reason: 'MAY_NOT_COPY' }))
  if (error.code === '53300') return new CopyRefused(fail('CONFLICT', { reason: 'TOO_FEW_CONNECTIONS' }))
  if (error.code === '55006') return new CopyRefused(fail('CONFLICT', { reason: 'OTHERS_CONNECTED' }))
  return undefined
}

const isShut = (error: Error & { readonly code: string }) =>
  error.code === '55000' && 'severity' in error && error.severity === 'FATAL'

/** The address of another database of the same server. */
export function urlOfDatabase(url: string, name: string): string {
  const other = new URL(withHost(url))
  other.pathname = `/${name}`
  return other.href
}

/** The name of a copy of the database that an address has. */
export function nameOfCopy(url: string, place: Place): string {
  return copyName(databaseOf(url), place)
}

/** The name of the database whose place a restore takes, until it is known that what took it stays. */
export function nameBefore(url: string): string {
  return copyName(databaseOf(url), 'main before')
}

function databaseOf(url: string): string {
  return decodeURIComponent(new URL(withHost(url)).pathname.slice(1))
}

/** PostgreSQL lets the host be left out where a parameter names the directory of its socket. */
function withHost(url: string): string {
  return url.replace('@/', '@localhost/')
}
