import { firstCall } from './bootstrap.ts'
import { readConfig } from './config.ts'
import { openDataDirectory } from './data-directory.ts'
import { inDatabaseTime } from './database-clock.ts'
import { exit, run } from './exit.ts'
import { jsonLog, realWorld } from './real-world.ts'
import { formsOf, startInstallation } from './wiring.ts'

/** Supervisors commonly wait 30 seconds before they kill. */
const stopWithinMs = 25_000

async function main(): Promise<number> {
  const startedAt = performance.now()
  const config = readConfig()
  const log = jsonLog(config.logLevel)
  const world = realWorld(log)
  const directory = openDataDirectory(config.dataDirectory)

  const stopRequested = new Promise<string>((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, resolve)
    // Asked for by `corridor dev` alone: other supervisors may come back for what they left behind.
    if (!process.argv.includes('--ends-with-its-parent')) return
    if (!process.connected) resolve('the parent process has ended')
    process.once('disconnect', () => resolve('the parent process has ended'))
  })
  const installation = await startInstallation(config, world, directory, formsOf(config), inDatabaseTime)
  for (const where of ['uncaughtException', 'unhandledRejection'] as const) {
    process.on(where, (error: unknown) => installation.unexpected(error, where))
  }
  log.info(
    {
      listening: installation.address,
      operator: installation.operatorAddress,
      role: config.role,
      database: installation.engine.database.kind,
      // Public: clients of wallets have the one of their environment built in.
      walletQuorumKeys: {
        SANDBOX: installation.engine.keys.quorumKey('SANDBOX').publicKey,
        PRODUCTION: installation.engine.keys.quorumKey('PRODUCTION').publicKey,
      },
      startMs: Math.round(performance.now() - startedAt),
      rssMb: Math.round(process.memoryUsage.rss() / 1_000_000),
    },
    'ready',
  )
  // Secrets are for the person at a terminal: what is not one is kept, by a supervisor or in a log.
  if (installation.credentials) {
    const showsSecrets = process.stderr.isTTY === true
    process.stderr.write(firstCall(installation.credentials, directory.credentialsPath, { showsSecrets }))
  }

  const signal = await stopRequested
  log.info({ signal }, 'stopping')
  const isStopped = await Promise.race([
    installation.stop().then(() => true),
    world.sleep(stopWithinMs).then(() => false),
  ])
  if (!isStopped) throw new Error(`requests or jobs were still running after ${stopWithinMs} ms`)
  log.info({}, 'stopped')
  return exit.done
}

run(main)
