import { join } from 'node:path'
import { buildServer } from '@corridor/testkit/built-server.ts'
import { admin, createMigratedDatabase } from '@corridor/testkit/database.ts'
import { proofSeed } from '@corridor/testkit/effort.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { root } from './installation.ts'
import { moneyStorm } from './money-storm.ts'

/** A short one of the storms of `scripts/storm.ts --kind money`. Needs a PostgreSQL server: the embedded database is the process. */
const serverUrl = process.env.CORRIDOR_TEST_DATABASE_URL

describe.skipIf(!serverUrl)('returns, freezes and receivables on a server that is killed', () => {
  const name = `corridor_money_storm_${process.pid}`
  beforeAll(buildServer)
  afterAll(() => admin(serverUrl!, `drop database if exists ${name} with (force)`))

  it('lose, double and leave unexplained nothing', async () => {
    const databaseUrl = await createMigratedDatabase(serverUrl!, name)
    const report = await moneyStorm({
      program: join(root, 'apps/server/dist/main.js'),
      databaseUrl,
      seed: proofSeed(1),
      acts: 150,
      callers: 8,
      kills: 2,
    })
    const { unfinished, contradictions, problems } = report
    expect({ unfinished, contradictions, problems }).toEqual({
      unfinished: [],
      contradictions: [],
      problems: [],
    })
    expect(Object.keys(report.answers).filter((answer) => / 5\d\d$/.test(answer))).toEqual([])
    expect(report.repeated).toBeGreaterThan(0)
    expect(report.payments).toBeGreaterThan(20)
  }, 180_000)
})
