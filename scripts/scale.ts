/**
 * `npx tsx scripts/scale.ts [--seconds 2] [--turns 4] [--json]`, after `npm run build`: payments, quotes and reads of a platform
 * with 1,000,000 transactions and 2,000,000 ledger accounts, and of its neighbour, beside one of an installation without any;
 * the same that `npm run bench` measures among the rest. The ledgers are audited at the end.
 */
import { auditLedger } from '../packages/engine/src/mechanisms/audit/audit.ts'
import { createDatabase } from '../packages/engine/src/mechanisms/db/database.ts'
import { openPostgresql } from '../packages/engine/src/mechanisms/db/postgresql.ts'
import { startCluster } from './bench/cluster.ts'
import { port } from './bench/http.ts'
import { fillHistories, prepareHistories } from './bench/lists.ts'
import { fillLedger, measureScale, scaleRatios } from './bench/scale.ts'

const numberAfter = (name: string, usual: number) => {
  const at = process.argv.indexOf(name)
  return at < 0 ? usual : Number(process.argv[at + 1])
}

const cluster = await startCluster()
try {
  const histories = await prepareHistories(cluster, port)
  await fillHistories(cluster, histories)
  await fillLedger(cluster, histories)
  const figures = await measureScale({
    cluster,
    histories,
    seconds: numberAfter('--seconds', 2),
    turns: numberAfter('--turns', 4),
  })
  await histories.installation.remove()
  const audit: Record<string, boolean> = {}
  for (const name of ['lists', 'empty']) {
    const database = createDatabase(openPostgresql({ url: cluster.url(name) }))
    audit[name] = (await auditLedger(database)).sound
    await database.close()
  }
  console.log(JSON.stringify({ figures, ratios: scaleRatios(figures), audit }, undefined, 2))
  if (Object.values(audit).includes(false)) process.exitCode = 1
} finally {
  await cluster.stop()
}
