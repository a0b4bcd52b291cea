import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { openMigrated } from './database.ts'

const root = join(import.meta.dirname, '../../..')
const cache = join(root, 'node_modules/.cache/corridor')
/** What `npm run build` leaves. Without it, making the template takes 3 s longer. */
const builtCluster = join(root, 'apps/server/dist/cluster')
const migrations = join(root, 'packages/engine/migrations')

/** What the tables depend on. */
const sources = [
  join(root, 'packages/engine/src/mechanisms/db/expect-rows.ts'),
  join(root, 'packages/engine/src/mechanisms/db/migrate.ts'),
  join(root, 'packages/engine/src/mechanisms/db/pglite.ts'),
  join(root, 'node_modules/@electric-sql/pglite/package.json'),
]

export interface Template {
  /** A dump for databases in memory. */
  readonly dump: string
  /** The same as a folder, for installations. */
  readonly cluster: string
}

/**
 * An embedded database with all migrations and no rows. It is kept for later runs until a migration changes: to make it takes longer
 * than most single test files.
 */
export async function keptTemplate(): Promise<Template> {
  const kept = join(cache, `database-${digest()}`)
  if (!existsSync(kept)) await make(kept)
  return within(kept)
}

const within = (folder: string): Template => ({
  dump: join(folder, 'template.tar'),
  cluster: join(folder, 'cluster'),
})

/** Under another name until it is whole: runs may start beside each other. */
async function make(kept: string): Promise<void> {
  const making = `${kept}.${process.pid}`
  mkdirSync(making, { recursive: true })
  const { dump, cluster } = within(making)
  const driver = await openMigrated(cluster, builtCluster)
  writeFileSync(dump, Buffer.from(await (await driver.dump()).arrayBuffer()))
  await driver.close()
  try {
    renameSync(making, kept)
  } catch {
    rmSync(making, { recursive: true, force: true })
  }
  removeOld()
}

/** Branches have different migrations. The last few stay. */
function removeOld(): void {
  const newestFirst = readdirSync(cache)
    .filter((name) => name.startsWith('database-'))
    .map((name) => ({ path: join(cache, name), madeAt: statSync(join(cache, name)).mtimeMs }))
    .sort((a, b) => b.madeAt - a.madeAt)
  for (const { path } of newestFirst.slice(4)) rmSync(path, { recursive: true, force: true })
}

function digest(): string {
  const hash = createHash('sha256')
  const files = readdirSync(migrations)
    .sort()
    .map((name) => join(migrations, name))
  for (const file of [...files, ...sources]) hash.update(file.slice(root.length)).update(readFileSync(file))
  return hash.digest('hex').slice(0, 16)
}
