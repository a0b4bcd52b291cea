import { join } from 'node:path'
import { buildServer } from '@corridor/testkit/built-server.ts'
import pg from 'pg'
import { beforeAll, expect, it } from 'vitest'
import { startCluster } from '../../scripts/bench/cluster.ts'
import { freezeDatabase, killServer, killSession, oneAfterTheOther, stopDatabase } from './disturbances.ts'
import { root } from './installation.ts'
import { type StormReport, storm } from './storm.ts'

/** Short versions of the storms of `scripts/storm.ts` (docs/resilience.md). */

const program = join(root, 'apps/server/dist/main.js')
const size = { payments: 90, callers: 12 }

beforeAll(() => buildServer())

function expectNothingLost(report: StormReport): void {
  const { completed, leftMinor, sound, problems } = report
  expect({ completed, leftMinor, sound, problems }).toEqual({
    completed: size.payments,
    leftMinor: 0,
    sound: true,
    problems: [],
  })
  const known = new Set(['200', '401', '409', '503', 'none'])
  expect(Object.keys(report.answers).filter((status) => !known.has(status))).toEqual([])
}

it.skipIf(!process.env.CORRIDOR_TEST_DATABASE_URL)(
  'a database that loses a session, stops at once and is frozen costs neither money nor a 500',
  async () => {
    const cluster = await startCluster({ shared_buffers: '32MB', fsync: 'off' })
    try {
      const client = new pg.Client({ connectionString: cluster.url('postgres') })
      await client.connect()
      await client.query('create database storm')
      await client.end()
      const report = await storm({
        program,
        ...size,
        databaseUrl: cluster.url('storm'),
        disturb: oneAfterTheOther(1_000, [
          killSession(cluster),
          stopDatabase(cluster, 500),
          freezeDatabase(cluster, 3_000),
          killServer(1, 0),
        ]),
      })
      expectNothingLost(report)
      expect(report.answers['503']).toBeGreaterThan(0)
      // Two seconds are promised; the machine of a test has other things to do as well.
      expect(report.longestAnswerMs).toBeLessThan(6_000)
      expect(report.to503Ms).toBeDefined()
      expect(report.toUnreadyMs).toBeDefined()
      expect(report.toServiceMs).toBeDefined()
    } finally {
      await cluster.stop()
    }
  },
  120_000,
)

it('a server on the embedded database is killed and started again at once, unburied, and loses nothing', async () => {
  const report = await storm({ program, ...size, disturb: killServer(2, 300) })
  expectNothingLost(report)
  expect(report.refusedStarts).toBe(0)
}, 120_000)
