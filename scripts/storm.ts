import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { proofSeed } from '@corridor/testkit/effort.ts'
import pg from 'pg'
import { freezeDatabase, killServer, killSession, stopDatabase } from '../tests/simulation/disturbances.ts'
import { moneyStorm } from '../tests/simulation/money-storm.ts'
import { type StormOptions, storm } from '../tests/simulation/storm.ts'
import { type Cluster, startCluster } from './bench/cluster.ts'

/**
 * Storms of payments in the middle of which something is taken away: `npx tsx scripts/storm.ts`.
 *
 *   --kind server,session,stop,freeze,embedded,money   which ones; default all
 *   --payments 600 --callers 24                  how many payments, and how many at a time
 *   --frozen-ms 30000 --away-ms 5000 --kills 5   how much is taken away
 *   --acts 1500 --seed 7                         calls of `money`: returns, freezes, suspense and receivables
 *   --program apps/server/dist/main.js           which build, also of another checkout
 *
 * Prints one line of JSON for each, and ends with 1 when anything was lost, doubled, stuck or answered 500.
 */
const { values } = parseArgs({
  options: {
    kind: { type: 'string', default: 'server,session,stop,freeze,embedded,money' },
    payments: { type: 'string', default: '600' },
    callers: { type: 'string', default: '24' },
    'frozen-ms': { type: 'string', default: '30000' },
    'away-ms': { type: 'string', default: '5000' },
    kills: { type: 'string', default: '5' },
    acts: { type: 'string', default: '1500' },
    seed: { type: 'string', default: String(proofSeed(1)) },
    program: { type: 'string', default: join(import.meta.dirname, '../apps/server/dist/main.js') },
  },
})
const program = resolve(values.program)
if (!existsSync(program)) throw new Error(`${program} is not built: npm run build`)
const size = { payments: bounded(values.payments, 20_000), callers: bounded(values.callers, 200) }
const frozenMs = bounded(values['frozen-ms'], 300_000)
const awayMs = bounded(values['away-ms'], 300_000)
const kills = bounded(values.kills, 100)

const kinds: Record<string, (cluster: Cluster) => StormOptions['disturb']> = {
  server: () => killServer(kills, 1_000),
  session: killSession,
  stop: (cluster) => stopDatabase(cluster, awayMs),
  freeze: (cluster) => freezeDatabase(cluster, frozenMs),
  embedded: () => killServer(kills, 1_000),
}

let isSound = true
for (const kind of values.kind.split(',')) {
  if (kind === 'money') {
    isSound = (await moneyIsSound()) && isSound
    continue
  }
  const disturb = kinds[kind]
  if (!disturb) throw new Error(`no storm is called ${kind}`)
  const cluster = await startCluster({ listen_addresses: "'127.0.0.1'", shared_buffers: '128MB' })
  try {
    const databaseUrl = kind === 'embedded' ? undefined : cluster.url(await makeDatabase(cluster))
    const report = await storm({
      program,
      ...size,
      ...(databaseUrl ? { databaseUrl } : {}),
      disturb: disturb(cluster),
    })
    const fivehundreds = report.answers['500'] ?? 0
    isSound &&=
      report.sound && report.leftMinor === 0 && report.completed === size.payments && fivehundreds === 0
    console.log(JSON.stringify({ kind, ...size, ...report }))
  } finally {
    await cluster.stop()
  }
}
process.exit(isSound ? 0 : 1)

/** Calls of everything that moves money, on a server that is killed again and again. */
async function moneyIsSound(): Promise<boolean> {
  const cluster = await startCluster({ listen_addresses: "'127.0.0.1'", shared_buffers: '128MB' })
  try {
    const report = await moneyStorm({
      program,
      databaseUrl: cluster.url(await makeDatabase(cluster)),
      seed: Number(values.seed),
      acts: bounded(values.acts, 20_000),
      callers: size.callers,
      kills,
    })
    console.log(JSON.stringify({ kind: 'money', seed: values.seed, ...report }))
    const { unfinished, contradictions, problems, answers } = report
    const errors = Object.keys(answers).filter((answer) => / 5\d\d$/.test(answer))
    return [unfinished, contradictions, problems, errors].every(({ length }) => length === 0)
  } finally {
    await cluster.stop()
  }
}

async function makeDatabase(cluster: Cluster): Promise<string> {
  const client = new pg.Client({ connectionString: cluster.url('postgres') })
  await client.connect()
  await client.query('create database storm')
  await client.end()
  return 'storm'
}

function bounded(text: string, max: number): number {
  const number = Number(text)
  if (!Number.isInteger(number) || number < 1 || number > max) throw new Error(`${text} is not 1 to ${max}`)
  return number
}
