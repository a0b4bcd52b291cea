import { connect, createServer, type Server, type Socket } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { isUnavailable } from './availability.ts'
import { type Driver, statement } from './driver.ts'
import { openPostgresql } from './postgresql.ts'

const serverUrl = process.env.CORRIDOR_TEST_DATABASE_URL

/** Spec: a caller waits two seconds at most. The machine that tests may be busy with something else. */
const patienceMs = 4_000

/** A network between a driver and its server that can fall silent, as behind a switch that is dead. */
class Network {
  readonly #server: Server
  readonly #sockets = new Set<Socket>()
  #isSilent = false
  #isEndHeld = false
  url = ''

  constructor(target: () => Socket) {
    this.#server = createServer((client) => {
      const server = target()
      const pair = [client, server] as const
      for (const [from, to] of [pair, [server, client] as const]) {
        this.#sockets.add(from)
        from.on('error', () => {})
        from.on('close', () => this.#isEndHeld || to.destroy())
        from.on('data', (chunk) => to.write(chunk))
        if (this.#isSilent) from.pause()
      }
    })
  }
  async open(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
    const { port } = this.#server.address() as { port: number }
    const url = new URL(serverUrl!)
    url.searchParams.delete('host')
    url.hostname = '127.0.0.1'
    url.port = String(port)
    this.url = url.href
  }
  /** Nothing passes any more, in either direction, and nothing is closed; new connections are no better. */
  fallSilent(): void {
    this.#isSilent = true
    for (const socket of this.#sockets) socket.pause()
  }
  /** New connections pass; those of before stay silent for ever. */
  recover(): void {
    this.#isSilent = false
    this.#isEndHeld = false
  }
  /** What was kept back arrives, as from a machine that had no time for a while. */
  goOn(): void {
    this.#isSilent = false
    for (const socket of this.#sockets) socket.resume()
  }
  /** What a session says last arrives from now on, and that it has ended does not. */
  holdEnds(): void {
    this.#isEndHeld = true
  }
  cut(): void {
    for (const socket of this.#sockets) socket.destroy()
  }
  close(): void {
    this.cut()
    this.#server.close()
  }
}

function toServer(): Socket {
  const url = new URL(serverUrl!)
  const folder = url.searchParams.get('host')
  const port = Number(url.port || 5432)
  return folder?.startsWith('/') ? connect(`${folder}/.s.PGSQL.${port}`) : connect(port, url.hostname)
}

const one = statement('test.one', 'select 1 as one')
const slow = statement('test.slow', 'select pg_sleep(1.5)')
const ask = (driver: Driver) => driver.use('read', (connection) => connection.query(one))
const outcomeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'answered',
    (error: unknown) => (isUnavailable(error) ? 'unavailable' : error),
  )

describe.skipIf(!serverUrl)('a driver whose server is out of reach', () => {
  let network: Network
  let driver: Driver
  let changes: boolean[]
  beforeAll(async () => {
    network = new Network(toServer)
    await network.open()
  })
  beforeEach(async () => {
    network.recover()
    changes = []
    driver = openPostgresql({ url: network.url, onChange: (isAnswering) => changes.push(isAnswering) })
    expect(await ask(driver)).toEqual([{ one: 1 }])
    return () => driver.close()
  })
  afterAll(() => network.close())

  it('says so within two seconds when nothing is closed and nothing answers, also to those who wait', async () => {
    network.fallSilent()
    const startedAt = performance.now()
    const calls = Array.from({ length: 40 }, () => outcomeOf(ask(driver)))
    expect(new Set(await Promise.all(calls))).toEqual(new Set(['unavailable']))
    expect(performance.now() - startedAt).toBeLessThan(patienceMs)
    // The next call fails without any wait. A busy machine delays the call and the timer alike, so the call still ends first.
    const waits = new Promise((resolve) => setTimeout(resolve, 50, 'waits'))
    expect(await Promise.race([outcomeOf(ask(driver)), waits])).toBe('unavailable')
    expect(changes).toEqual([false])
  })

  it('says so as soon when the connection that asks is open already', async () => {
    // Opened after the session that is asked, which is this driver's first.
    const probes = statement(
      'test.probes',
      `select 1 as one from pg_stat_activity p, pg_stat_activity mine
       where mine.pid = pg_backend_pid() and p.datname = mine.datname and p.backend_start > mine.backend_start
         and p.application_name = 'corridor probe' and p.state = 'idle' limit 1`,
    )
    const findProbe = () => driver.use('read', (connection) => connection.query(probes))
    await expect.poll(findProbe, { timeout: 10_000 }).toHaveLength(1)
    network.fallSilent()
    const startedAt = performance.now()
    expect(await outcomeOf(ask(driver))).toBe('unavailable')
    expect(performance.now() - startedAt).toBeLessThan(patienceMs)
  })

  it('waits for one that is only slow where it is told to be patient', async () => {
    const ofPatient: boolean[] = []
    const patient = openPostgresql({
      url: network.url,
      patience: 20,
      onChange: (isAnswering) => ofPatient.push(isAnswering),
    })
    expect(await ask(patient)).toEqual([{ one: 1 }])
    network.fallSilent()
    const calls = Array.from({ length: 20 }, () => outcomeOf(ask(patient)))
    // This driver has as much of it as any: once it calls the server away, the other could have done so.
    expect(await outcomeOf(ask(driver))).toBe('unavailable')
    network.goOn()
    expect(new Set(await Promise.all(calls))).toEqual(new Set(['answered']))
    expect(ofPatient).toEqual([])
    await patient.close()
  })

  it('finds out by itself when it answers again, on connections of its own making', async () => {
    network.fallSilent()
    expect(await outcomeOf(ask(driver))).toBe('unavailable')
    network.recover()
    await expect.poll(() => outcomeOf(ask(driver)), { timeout: 10_000 }).toBe('answered')
    expect(changes).toEqual([false, true])
  })

  it('takes a statement that is slow for slow', async () => {
    const waiting = driver.use('read', (connection) => connection.query(slow))
    expect(await outcomeOf(waiting)).toBe('answered')
    expect(changes).toEqual([])
  })

  it('calls a cut connection unavailable, and serves the next call on another', async () => {
    const waiting = outcomeOf(driver.use('read', (connection) => connection.query(slow)))
    await new Promise((resolve) => setTimeout(resolve, 200))
    network.cut()
    expect(await waiting).toBe('unavailable')
    await expect.poll(() => outcomeOf(ask(driver)), { timeout: 10_000 }).toBe('answered')
  })

  it('calls a session unavailable whose last word has arrived while it was asked nothing, and its end has not', async () => {
    network.holdEnds()
    const whoAmI = statement('test.pid', 'select pg_backend_pid() as pid')
    const end = statement('test.end', 'select pg_terminate_backend($1::int, 5000) as ended')
    const words: string[] = []
    const outcome = await outcomeOf(
      driver.use('read', async (connection) => {
        const [mine] = await connection.query<{ pid: number }>(whoAmI)
        const ended = await driver.use('system', (other) => other.query(end, [mine!.pid]))
        expect(ended).toEqual([{ ended: true }])
        // What was said before these were asked has arrived once they are answered.
        for (let answers = 0; answers < 2; answers++) await driver.use('system', (other) => other.query(one))
        await connection.query(one).catch((error: Error) => {
          words.push(error.message)
          throw error
        })
      }),
    )
    expect(words).toEqual(['Client has encountered a connection error and is not queryable'])
    expect(outcome).toBe('unavailable')
    expect(await ask(driver)).toEqual([{ one: 1 }])
    network.cut()
  })

  it('ends a statement that takes longer than any caller waits, and keeps the connection', async () => {
    await driver.use('read', async (connection) => {
      await connection.script("set statement_timeout = '200ms'")
      expect(await outcomeOf(connection.query(slow))).toBe('unavailable')
      expect(await connection.query(one)).toEqual([{ one: 1 }])
    })
    const limits = statement(
      'test.limits',
      `select current_setting('statement_timeout') as statement, current_setting('lock_timeout') as lock,
         current_setting('idle_in_transaction_session_timeout') as idle`,
    )
    const of = (lane: 'read' | 'write' | 'system' | 'maintenance') =>
      driver.use(lane, (connection) => connection.query(limits))
    for (const lane of ['write', 'system'] as const) {
      expect(await of(lane)).toEqual([{ statement: '8s', lock: '5s', idle: '15s' }])
    }
    expect(await of('maintenance')).toEqual([{ statement: '0', lock: '0', idle: '0' }])
  })

  it('is closed without the consent of its server', async () => {
    const other = openPostgresql({ url: network.url })
    await ask(other)
    network.fallSilent()
    await other.close()
  })

  it('lets no more wait than it can serve in time', async () => {
    const small = openPostgresql({
      url: network.url,
      connections: { read: 1, write: 1, system: 1, maintenance: 1 },
    })
    let release = () => {}
    let held: Promise<void> | undefined
    await new Promise<void>((isHeld) => {
      held = small.use('read', async () => {
        isHeld()
        await new Promise<void>((resolve) => {
          release = resolve
        })
      })
    })
    // Each only takes its turn: how many statements a busy server gets through in five seconds is another matter.
    const turn = () => outcomeOf(small.use('read', async () => {}))
    const waiting = Array.from({ length: 5_000 }, turn)
    const last = await turn()
    expect(last).toBe('unavailable')
    release()
    await held
    const outcomes = await Promise.all(waiting)
    expect(outcomes.filter((outcome) => outcome === 'answered')).toHaveLength(5_000)
    await small.close()
  })
})
