import { emptyOutput } from '@corridor/engine/mechanisms/db/batch-output.ts'
import { createDatabase } from '@corridor/engine/mechanisms/db/database.ts'
import type { Driver } from '@corridor/engine/mechanisms/db/driver.ts'
import { openPostgresql } from '@corridor/engine/mechanisms/db/postgresql.ts'
import { numberOf, type TransactionNumber, wasWritten } from '@corridor/engine/mechanisms/db/witness.ts'
import { migrateUrl } from '@corridor/testkit/database.ts'
import { expect, it } from 'vitest'
import { type Cluster, startCluster } from '../../scripts/bench/cluster.ts'

const book = { platformId: '0198c000-0000-7000-8000-000000000001', environment: 'SANDBOX' } as const

/** What a payment that was answered, and lost, hung on: someone else's commit was taken for its own. */
it.skipIf(!process.env.CORRIDOR_TEST_DATABASE_URL)(
  'the number of a transaction that a crash took away says nothing once another has it',
  async () => {
    const cluster = await startCluster({ shared_buffers: '32MB', fsync: 'off', autovacuum: 'off' })
    try {
      await migrateUrl(cluster.url('postgres'))
      const { lost, event, given, driver } = await loseUntilGivenAgain(cluster)
      const database = createDatabase(driver)
      try {
        expect(given.number).toBe(lost.number)
        expect(await wasWritten(database, book, { transaction: lost, output: event })).toBe(false)
        expect(await wasWritten(database, book, { transaction: given, output: emptyOutput() })).toBe(true)
      } finally {
        await driver.close()
      }
    } finally {
      await cluster.stop()
    }
  },
  120_000,
)

/**
 * Any write to the log that survives the crash, such as the server's regular note of running transactions, keeps the
 * number of the lost transaction from being given again. The next attempt is then free of it.
 */
async function loseUntilGivenAgain(cluster: Cluster) {
  for (let attempt = 1; ; attempt++) {
    const { lost, event } = await loseATransaction(cluster)
    const driver = openPostgresql({ url: cluster.url('postgres') })
    let given = await commitOne(driver)
    while (Number(given.number) < Number(lost.number)) given = await commitOne(driver)
    if (given.number === lost.number || attempt === 10) return { lost, event, given, driver }
    await driver.close()
  }
}

function commitOne(driver: Driver): Promise<TransactionNumber> {
  return driver.use('write', async (connection) => {
    await connection.script('begin')
    const number = await numberOf(connection)
    await connection.script('commit')
    return number!
  })
}

async function loseATransaction(cluster: Cluster) {
  const driver = openPostgresql({ url: cluster.url('postgres') })
  let lost: TransactionNumber | undefined
  await driver
    .use('write', async (connection) => {
      await connection.script('begin')
      lost = await numberOf(connection)
      await restartAtOnce(cluster)
      await connection.script('commit')
    })
    .catch(() => {})
  await driver.close()
  const event = emptyOutput()
  event.core.events.push({ id: 'Webhook:never-written' } as never)
  return { lost: lost!, event }
}

async function restartAtOnce(cluster: Cluster): Promise<void> {
  await cluster.control('stop', '-m', 'immediate')
  await cluster.control('start')
}
