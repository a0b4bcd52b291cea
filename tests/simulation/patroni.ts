import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { chown, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '@corridor/testkit/free-port.ts'
import { findBinaries, signalServer, unprivilegedUser } from '../../scripts/bench/cluster.ts'
import { ask, type Link, openProxy, type Replicas, until } from './replicas.ts'

/** Whether Patroni, etcd and HAProxy are installed. Debian packages: patroni, etcd-server, haproxy. */
export function hasPatroni(): boolean {
  const programs = [
    ['patroni', '--version'],
    ['etcd', '--version'],
    ['haproxy', '-v'],
  ] as const
  return programs.every(([program, flag]) => spawnSync(program, [flag]).status === 0)
}

interface Node {
  readonly name: string
  readonly port: number
  readonly restPort: number
  readonly data: string
  /** What the other node reaches it by, so that the link between them can be cut. */
  readonly link: Link
  patroni: ChildProcess | undefined
}

/**
 * Two PostgreSQL servers that Patroni manages as `docs/guides/go-to-production.md` tells operators to: etcd holds the lock of the
 * leader, and HAProxy sends connections to the server whose Patroni says that it is the primary.
 */
export async function startPatroni(): Promise<Replicas> {
  const binaries = await findBinaries()
  const owner = unprivilegedUser()
  const folder = await mkdtemp(join(tmpdir(), 'corridor-patroni-'))
  if (owner) await chown(folder, owner.uid, owner.gid)
  const started: ChildProcess[] = []
  const run = (program: string, parameters: readonly string[], as: object = {}) => {
    const child = spawn(program, parameters, { cwd: folder, stdio: 'ignore', ...as })
    child.on('error', () => {})
    started.push(child)
    return child
  }

  const [etcdPort, peerPort, proxyPort] = [await freePort(), await freePort(), await freePort()]
  const etcd = `http://127.0.0.1:${etcdPort}`
  const peer = `http://127.0.0.1:${peerPort}`
  run('etcd', [
    ...['--data-dir', join(folder, 'etcd'), '--unsafe-no-fsync', '--initial-cluster', `default=${peer}`],
    ...['--listen-client-urls', etcd, '--advertise-client-urls', etcd],
    ...['--listen-peer-urls', peer, '--initial-advertise-peer-urls', peer],
  ])
  await until(() => isOk(`${etcd}/health`))

  const nodes = [await makeNode('one', folder), await makeNode('two', folder)] as const
  const start = async (node: Node) => {
    const file = join(folder, `${node.name}.yml`)
    await writeFile(file, JSON.stringify(configOf(node, { etcdPort, binaries, folder })))
    node.patroni = run('patroni', [file], owner)
  }
  let primary: Node = nodes[0]
  let isKilled = false
  const standby = () => nodes.find((node) => node !== primary)!
  const isPrimary = (node: Node) => isOk(`http://127.0.0.1:${node.restPort}/primary`)
  const isSynchronous = (node: Node) => isOk(`http://127.0.0.1:${node.restPort}/synchronous`)
  const isServed = () =>
    ask({ url: () => `postgresql://postgres@127.0.0.1:${proxyPort}/postgres` }, 'select 1').then(
      () => true,
      () => false,
    )
  const url = (database: string, port = primary.port) => `postgresql://postgres@127.0.0.1:${port}/${database}`

  async function killPrimary(): Promise<void> {
    if (isKilled) return
    isKilled = true
    primary.patroni?.kill('SIGKILL')
    await signalServer(primary.data, 'SIGKILL')
  }

  await start(primary)
  await until(() => isPrimary(primary), startMs)
  // Before its first check HAProxy takes every server for the primary, so the standby comes later.
  const configuration = join(folder, 'haproxy.cfg')
  await writeFile(configuration, haproxyOf(proxyPort, nodes))
  run('haproxy', ['-db', '-f', configuration])
  await until(isServed, startMs)
  await start(standby())
  await until(() => isSynchronous(standby()), startMs)

  return {
    get primary() {
      return { url: (database: string) => url(database) }
    },
    url: (database) => url(database, proxyPort),
    async freezeStandby() {
      primary.link.pause()
      await signalServer(standby().data, 'SIGSTOP')
    },
    async thawStandby() {
      await signalServer(standby().data, 'SIGCONT')
      primary.link.resume()
    },
    killPrimary,
    async failOver() {
      const next = standby()
      await killPrimary()
      primary.link.cut()
      await signalServer(next.data, 'SIGCONT')
      await endLockOfLeader(etcd)
      await until(() => isPrimary(next), startMs)
      primary = next
      isKilled = false
      await until(isServed, startMs)
    },
    async addStandby() {
      const node = standby()
      node.link.resume()
      // It may hold commits that were never confirmed, which the new primary does not have.
      await rm(node.data, { recursive: true, force: true })
      await start(node)
      await until(() => isSynchronous(node), startMs)
    },
    async stop() {
      for (const child of started) child.kill('SIGKILL')
      for (const { data, link } of nodes) {
        link.close()
        await signalServer(data, 'SIGKILL').catch(() => {})
      }
      await rm(folder, { recursive: true, force: true, maxRetries: 10 })
    },
  }
}

const startMs = 120_000

async function makeNode(name: string, folder: string): Promise<Node> {
  const [port, restPort] = [await freePort(), await freePort()]
  return {
    name,
    port,
    restPort,
    data: join(folder, name),
    link: await openProxy(() => port),
    patroni: undefined,
  }
}

/** Patroni reads YAML, and so JSON. */
function configOf(
  { name, port, restPort, data, link }: Node,
  parts: { readonly etcdPort: number; readonly binaries: string; readonly folder: string },
) {
  return {
    scope: 'corridor',
    name,
    restapi: { listen: `127.0.0.1:${restPort}`, connect_address: `127.0.0.1:${restPort}` },
    etcd3: { host: `127.0.0.1:${parts.etcdPort}` },
    bootstrap: {
      dcs: {
        ttl: 20,
        loop_wait: 1,
        retry_timeout: 3,
        synchronous_mode: true,
        synchronous_mode_strict: true,
      },
      initdb: [{ encoding: 'UTF8' }, { locale: 'C' }, { auth: 'trust' }],
    },
    postgresql: {
      listen: `127.0.0.1:${port}`,
      connect_address: `127.0.0.1:${link.port}`,
      data_dir: data,
      bin_dir: parts.binaries,
      pgpass: join(parts.folder, `pgpass-${name}`),
      authentication: { superuser: { username: 'postgres' }, replication: { username: 'postgres' } },
      parameters: {
        fsync: 'off',
        synchronous_commit: 'on',
        shared_buffers: '32MB',
        unix_socket_directories: '',
      },
      pg_hba: ['host all all 127.0.0.1/32 trust', 'host replication all 127.0.0.1/32 trust'],
    },
  }
}

function haproxyOf(port: number, nodes: readonly Node[]): string {
  return `
defaults
  mode tcp
  timeout connect 2s
  timeout check 5s
  timeout client 1h
  timeout server 1h
listen corridor
  bind 127.0.0.1:${port}
  option httpchk OPTIONS /primary
  http-check expect status 200
  default-server inter 500ms fall 2 rise 1 on-marked-down shutdown-sessions
${nodes.map((node) => `  server ${node.name} 127.0.0.1:${node.port} check port ${node.restPort}\n`).join('')}`
}

/** As if the time for which the dead leader holds the lock had passed. */
async function endLockOfLeader(etcd: string): Promise<void> {
  const key = Buffer.from('/service/corridor/leader').toString('base64')
  await fetch(`${etcd}/v3/kv/deleterange`, { method: 'POST', body: JSON.stringify({ key }) })
}

function isOk(url: string): Promise<boolean> {
  return fetch(url, { signal: AbortSignal.timeout(2_000) }).then(
    async (response) => {
      await response.body?.cancel()
      return response.ok
    },
    () => false,
  )
}
