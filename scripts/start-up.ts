/**
 * `npx tsx scripts/start-up.ts [--minutes 3] [--window 5]`, after `npm run build`: immediate payments of a new installation from
 * its first second, over 64 connections, and what each costs PostgreSQL and Corridor. Plans are made while tables are empty and
 * grow with them, so the last payments must cost no more than twice the first ones, nor the first ones twice the last.
 * PostgreSQL looks at tables once a minute, as it does where nobody has set it.
 */
import { startCluster } from './bench/cluster.ts'
import { loader, port } from './bench/http.ts'
import { median } from './bench/median.ts'
import { preparePayer, rateOf, watching } from './bench/scale.ts'
import { createInstallation } from './bench/server.ts'

const numberAfter = (name: string, usual: number) => {
  const at = process.argv.indexOf(name)
  return at < 0 ? usual : Number(process.argv[at + 1])
}
const minutes = numberAfter('--minutes', 3)
const windowSeconds = numberAfter('--window', 5)

const cluster = await startCluster({ autovacuum_naptime: '1min' })
try {
  await cluster.program('psql', ['-q', '-c', 'create database fresh'])
  const installation = await createInstallation(cluster.url('fresh'), port)
  const server = await installation.start('all')
  const parts = {
    send: await loader(windowSeconds, 64),
    ...watching(cluster, 'fresh', [server]),
  }
  const payer = await preparePayer('few', await installation.caller('breeze'), installation.origin, parts)
  const costs: number[] = []
  const startedAt = performance.now()
  while (performance.now() - startedAt < minutes * 60_000) {
    const at = ((performance.now() - startedAt) / 1_000).toFixed(0)
    const { perSecond, cpuMs } = await rateOf(payer, 'immediate')
    costs.push(cpuMs)
    console.log(
      `after ${at.padStart(4)} s: ${perSecond.toFixed(0)} payments a second, ${cpuMs.toFixed(2)} ms of CPU each`,
    )
  }
  await installation.end(server)
  await installation.remove()
  // The first window compiles the program as well.
  const [, ...warm] = costs
  const last = median(warm.slice(-3))
  const dearest = Math.max(...warm)
  console.log(
    `dearest ${dearest.toFixed(2)} ms, last ${last.toFixed(2)} ms, cheapest ${Math.min(...warm).toFixed(2)} ms`,
  )
  if (dearest > 2 * last || last > 2 * Math.min(...warm)) process.exitCode = 1
} finally {
  await cluster.stop()
}
