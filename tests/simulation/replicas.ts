import { connect, createServer, type Server, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { type Cluster, startCluster, startStandby } from '../../scripts/bench/cluster.ts'

/**
 * A PostgreSQL server with a synchronous standby, behind one address as a proxy in front of a cluster would give it. A
 * failover kills the server and promotes the standby.
 */
export interface Replicas {
  /** The server that serves at the moment. */
  readonly primary: Served
  /** Its address, which stays the same after a failover. */
  url(database: string): string
  /** Stops the standby where it is. It hears nothing more of the primary, also not what is on its way. */
  freezeStandby(): Promise<void>
  thawStandby(): Promise<void>
  /** Ends the primary as a power cut would. */
  killPrimary(): Promise<void>
  /** Kills the primary if it still runs, promotes the standby and sends new connections to it. */
  failOver(): Promise<void>
  /** Gives the server that has taken over a synchronous standby of its own. */
  addStandby(): Promise<void>
  stop(): Promise<void>
}

/** Of which a test can change the settings. */
export interface OwnReplicas extends Replicas {
  /** Whether commits wait for the standby from now on. */
  waitForStandby(isSo: boolean): Promise<void>
}

type Served = Pick<Cluster, 'url'>

export async function startReplicas(settings: Readonly<Record<string, string>> = {}): Promise<OwnReplicas> {
  const common = { shared_buffers: '32MB', fsync: 'off', max_wal_size: '256MB', ...settings }
  let primary = await startCluster(common)
  let { standby, link } = await follow(primary, common)
  const proxy = await openProxy(() => primary.port)
  let isKilled = false
  async function killPrimary(): Promise<void> {
    if (isKilled) return
    isKilled = true
    await primary.kill()
  }

  return {
    get primary() {
      return primary
    },
    url: (database) => `postgresql://postgres@127.0.0.1:${proxy.port}/${database}`,
    async freezeStandby() {
      link.pause()
      await standby.freeze()
    },
    async thawStandby() {
      await standby.thaw()
      link.resume()
    },
    waitForStandby: (isSo) => waitForStandby(primary, isSo),
    killPrimary,
    async failOver() {
      const gone = primary
      await killPrimary()
      link.close()
      await standby.thaw()
      await standby.control('promote')
      primary = standby
      isKilled = false
      proxy.cut()
      await gone.stop()
    },
    async addStandby() {
      ;({ standby, link } = await follow(primary, common))
    },
    async stop() {
      proxy.close()
      link.close()
      await Promise.all([primary.stop(), standby.stop()])
    },
  }
}

/** A standby of a server, which waits for it from then on. */
async function follow(
  primary: Cluster,
  settings: Readonly<Record<string, string>>,
): Promise<{ standby: Cluster; link: Link }> {
  const link = await openProxy(() => primary.port)
  const standby = await startStandby(link.port, settings)
  await waitForStandby(primary, true)
  return { standby, link }
}

async function waitForStandby(primary: Served, isSo: boolean): Promise<void> {
  await ask(primary, `alter system set synchronous_standby_names = '${isSo ? '*' : ''}'`)
  await ask(primary, 'select pg_reload_conf()')
  const wanted = isSo ? 'sync' : 'async'
  await until(async () => {
    const { rows } = await ask(primary, 'select sync_state from pg_stat_replication')
    return rows[0]?.sync_state === wanted
  })
}

export async function ask(cluster: Served, text: string, database = 'postgres') {
  const client = new pg.Client({ connectionString: cluster.url(database) })
  // The statement rejects as well.
  client.on('error', () => {})
  await client.connect()
  try {
    return await client.query(text)
  } finally {
    await client.end()
  }
}

export async function until(isSo: () => Promise<boolean>, limitMs = 40_000): Promise<void> {
  const end = performance.now() + limitMs
  while (!(await isSo())) {
    if (performance.now() > end) throw new Error('it did not come about in time')
    await wait(20)
  }
}

export interface Link {
  readonly port: number
  pause(): void
  resume(): void
  cut(): void
  close(): void
}

export async function openProxy(port: () => number): Promise<Link> {
  const sockets = new Set<Socket>()
  const server: Server = createServer((client) => {
    const upstream = connect(port(), '127.0.0.1')
    for (const [from, to] of [[client, upstream] as const, [upstream, client] as const]) {
      sockets.add(from)
      from.on('error', () => {})
      from.on('data', (chunk) => to.write(chunk))
      from.on('close', () => {
        sockets.delete(from)
        to.destroy()
      })
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const each = (act: (socket: Socket) => void) => {
    for (const socket of sockets) act(socket)
  }
  const cut = () => each((socket) => socket.destroy())
  return {
    port: (server.address() as { port: number }).port,
    pause: () => each((socket) => socket.pause()),
    resume: () => each((socket) => socket.resume()),
    cut,
    close() {
      cut()
      server.close()
    },
  }
}
