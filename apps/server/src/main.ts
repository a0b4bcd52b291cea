import { firstCall } from './bootstrap.ts'
import { readConfig, StartRefused } from './config.ts'
import { openDataDirectory } from './data-directory.ts'
import { jsonLog, realWorld } from './real-world.ts'
import { startInstallation } from './wiring.ts'

/** 0: stopped when asked to. 1: a fault. 2: something the operator has to put right. */
const exit = { stopped: 0, fault: 1, refused: 2 } as const

/** Supervisors commonly wait 30 seconds before they kill. */
const stopWithinMs = 25_000

async function main(): Promise<void> {
  const startedAt = performance.now()
  const config = readConfig()
  const log = jsonLog(config.logLevel)
  const world = realWorld(log)
  const directory = openDataDirectory(config.dataDirectory)

  const stopRequested = new Promise<NodeJS.Signals>((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, resolve)
  })
  const installation = await startInstallation(config, world, directory)
  log.info(
    {
      listening: installation.address,
      role: config.role,
      database: installation.engine.database.kind,
      startMs: Math.round(performance.now() - startedAt),
      rssMb: Math.round(process.memoryUsage.rss() / 1_000_000),
    },
    'ready',
  )
  // For the person at the terminal; the log on standard output never holds a secret.
  if (installation.credentials) {
    process.stderr.write(firstCall(installation.credentials, directory.credentialsPath))
  }

  const signal = await stopRequested
  log.info({ signal }, 'stopping')
  const isStopped = await Promise.race([
    installation.stop().then(() => true),
    world.sleep(stopWithinMs).then(() => false),
  ])
  if (!isStopped) throw new Error(`requests or jobs were still running after ${stopWithinMs} ms`)
  log.info({}, 'stopped')
}

main().then(
  () => process.exit(exit.stopped),
  (error: unknown) => {
    const refusal = explain(error)
    process.stderr.write(
      refusal ? `${refusal}\n` : `${error instanceof Error ? error.stack : String(error)}\n`,
    )
    process.exit(refusal ? exit.refused : exit.fault)
  },
)

/** What the operator can do about it; undefined for a fault of ours. */
function explain(error: unknown): string | undefined {
  if (error instanceof StartRefused) return error.message
  const { code, port, address } = error as { code?: string; port?: number; address?: string }
  if (code === 'EADDRINUSE') {
    return `Port ${port} is taken by another process. Stop that process, or choose another PORT.`
  }
  if (code === 'EACCES' && port !== undefined) {
    return `Port ${port} may not be opened by this user. Choose a PORT above 1023.`
  }
  if (code === 'ENOTFOUND' || code === 'EADDRNOTAVAIL') {
    return `HOST or DATABASE_URL names an address that this machine does not know${address ? `: ${address}` : ''}.`
  }
  if (code === 'ECONNREFUSED') {
    return `No PostgreSQL server answers at DATABASE_URL (${address}:${port}).`
  }
  if (code === '28P01' || code === '28000' || code === '3D000') {
    return 'The PostgreSQL server refuses the user, the password or the database of DATABASE_URL.'
  }
  return undefined
}
