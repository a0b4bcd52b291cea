import { parseArgs } from 'node:util'
import { hasPatroni, startPatroni } from '../tests/simulation/patroni.ts'
import { type Mode, openPayments, points } from '../tests/simulation/points.ts'
import { startReplicas } from '../tests/simulation/replicas.ts'

/**
 * Kills the primary at every point of a payment, before and after it, and once with the standby frozen from that point on:
 * `npx tsx scripts/failover-points.ts --patroni`.
 *
 * The standby takes over each time. Then everything that a caller, a rail or an endpoint was told must be there, and the payment
 * must come to its end once. Ends with 1 at the first difference. Without `--patroni` this needs PostgreSQL's programs only.
 *
 *   --points claim,rail   only points whose names contain one of these
 */
const { values } = parseArgs({
  options: { patroni: { type: 'boolean', default: false }, points: { type: 'string', default: '' } },
})
if (values.patroni && !hasPatroni())
  throw new Error('Install Patroni, etcd and HAProxy. Debian packages: patroni, etcd-server, haproxy.')

const names = values.points.split(',')
const modes: readonly Mode[] = ['before', 'after', 'frozen']
const replicas = await (values.patroni ? startPatroni() : startReplicas())
const payments = await openPayments(replicas)
let failovers = 0
let isLost = false
try {
  for (const point of points.filter(({ name }) => names.some((part) => name.includes(part)))) {
    for (const mode of modes) {
      const lost = await payments.survive(point, mode)
      failovers++
      console.log(`${point.name}, ${mode}: ${lost.length === 0 ? 'nothing lost' : `LOST ${lost.join(', ')}`}`)
      isLost ||= lost.length > 0
    }
  }
  const audit = await payments.audit()
  console.log(JSON.stringify({ failovers, ...audit }))
  if (isLost || !audit.isWhole) process.exitCode = 1
} finally {
  await payments.close()
  await replicas.stop()
}
process.exit()
