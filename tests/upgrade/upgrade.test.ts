import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openPglite } from '@corridor/engine/mechanisms/db/pglite.ts'
import { openPostgresql } from '@corridor/engine/mechanisms/db/postgresql.ts'
import { silentLog } from '@corridor/kernel'
import { createClient } from '@corridor/sdk/path-client.ts'
import { admin, asApplication, makeApplicationLogin } from '@corridor/testkit/database.ts'
import { execute, internalAccountOf, must } from '@corridor/testkit/index.ts'
import { afterEach, expect, it } from 'vitest'
import { readConfig } from '../../apps/server/src/config.ts'
import { openDataDirectory } from '../../apps/server/src/data-directory.ts'
import { realWorld } from '../../apps/server/src/real-world.ts'
import { type Installation, startInstallation } from '../../apps/server/src/wiring.ts'

const dump = readFileSync(join(import.meta.dirname, 'first-release.sql'), 'utf8')
const known = JSON.parse(readFileSync(join(import.meta.dirname, 'first-release.json'), 'utf8'))
const serverUrl = process.env.CORRIDOR_TEST_DATABASE_URL

/** An hour after the dump, whatever the time is now: what was under way then is due. */
const nowMs = Date.UTC(2026, 10, 22, 4, 55)
const offsetMs = nowMs - Date.now()

const undo: (() => unknown)[] = []
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step()
})

type Kind = 'embedded' | 'PostgreSQL' | 'PostgreSQL with two users'

/** A database of this kind with the dump in it, as the settings that lead to it. */
async function restore(kind: Kind): Promise<Record<string, string>> {
  const directory = mkdtempSync(join(tmpdir(), 'corridor-upgrade-'))
  undo.push(() => rmSync(directory, { recursive: true, force: true }))
  const settings = { CORRIDOR_DATA_DIR: directory, CORRIDOR_MASTER_KEY: known.masterKey }
  if (kind === 'embedded') {
    const driver = await openPglite({ directory: join(directory, 'database') })
    await driver.use('maintenance', (connection) =>
      connection.script(`create role corridor_app nologin; ${dump}`),
    )
    await driver.close()
    return settings
  }
  const name = `corridor_upgrade_${process.pid}`
  await admin(serverUrl!, `create database ${name}`)
  undo.push(() => admin(serverUrl!, `drop database if exists ${name} with (force)`))
  const url = new URL(serverUrl!)
  url.pathname = `/${name}`
  const driver = openPostgresql({ url: url.href })
  const role =
    "do $$ begin if not exists (select from pg_roles where rolname = 'corridor_app') then create role corridor_app nologin; end if; end $$;"
  await driver.use('maintenance', (connection) => connection.script(`${role} ${dump}`))
  await driver.close()
  if (kind === 'PostgreSQL') return { ...settings, DATABASE_URL: url.href }
  await makeApplicationLogin(serverUrl!)
  return { ...settings, DATABASE_URL: asApplication(url.href), CORRIDOR_MIGRATE_DATABASE_URL: url.href }
}

async function start(settings: Record<string, string>): Promise<Installation> {
  const config = { ...readConfig({ ...settings, CORRIDOR_RATE_LIMITS: 'off' }), port: 0, host: '127.0.0.1' }
  const world = { ...realWorld(silentLog), now: () => Date.now() + offsetMs }
  const installation = await startInstallation(config, world, openDataDirectory(config.dataDirectory))
  undo.push(() => installation.stop())
  return installation
}

it.each(['embedded', 'PostgreSQL', 'PostgreSQL with two users'] as const)(
  'this program starts on the %s database of the first release and finishes its payments',
  async (kind) => {
    if (kind !== 'embedded' && !serverUrl) return
    const { address } = await start(await restore(kind))
    const api = createClient({ baseUrl: `${address}/2025-10-13`, ...known.platform })
    const statusOf = async (quoteId: string) =>
      (await must(api.GET('/quotes/{quoteId}', { params: { path: { quoteId } } }))).status
    const statuses = () => Promise.all([...known.executed, known.pending].map(statusOf))
    await expect
      .poll(statuses, { timeout: 30_000, interval: 100 })
      .toEqual(['COMPLETED', 'COMPLETED', 'COMPLETED', 'EXPIRED'])

    // The answer of then, under the same key.
    const again = await execute(api, known.executed[0], { 'Idempotency-Key': 'upgrade-0' })
    expect(again.response.headers.get('idempotent-replayed')).toBe('true')
    expect(again.data).toMatchObject({ id: known.executed[0], status: 'PROCESSING' })

    const customer = await must(
      api.GET('/customers/{customerId}', { params: { path: { customerId: known.customerId } } }),
    )
    expect(customer).toMatchObject({ fullName: 'Ana Lopez' })
    // By what is sealed, of which that release kept no hashes.
    const found = async () =>
      (await must(api.GET('/search', { params: { query: { q: 'ana lopez' } } }))).data.map(
        ({ resourceId }) => resourceId,
      )
    await expect.poll(found, { timeout: 30_000, interval: 100 }).toContain(known.customerId)
    expect((await internalAccountOf(api, known.customerId, 'USD')).totalBalance.amount).toBe(70_000)
    const audit = await fetch(`${address}/operator/audit`, {
      headers: { authorization: `Bearer ${known.operatorKey}` },
    })
    expect(await audit.json()).toMatchObject({ sound: true, problems: [] })
  },
  120_000,
)
