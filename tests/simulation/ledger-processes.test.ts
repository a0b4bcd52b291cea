import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { openPglite } from '@corridor/engine/mechanisms/db/pglite.ts'
import type { Book } from '@corridor/engine/vocabulary/scope.ts'
import { createTestBooks, type TestBooks } from '@corridor/testkit/book.ts'
import { openMigrated, openTestDatabase } from '@corridor/testkit/database.ts'
import { expect, it } from 'vitest'
import { checkLedger, soundLedger } from './check-ledger.ts'

/** Verdicts to wait for before a process is killed. */
const verdictsBeforeKill = 400

interface Worker {
  readonly process: ChildProcess
  readonly accepted: Set<string>
  readonly refused: Set<string>
  /** Resolves when this many verdicts have been printed. */
  reached(count: number): Promise<void>
  kill(): Promise<void>
}

function startWorker(location: string, book: Book, name: string): Worker {
  const file = fileURLToPath(new URL('./ledger-worker.ts', import.meta.url))
  const child = spawn(process.execPath, ['--import', 'tsx', file, location, book.platformId, name], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const accepted = new Set<string>()
  const refused = new Set<string>()
  let told = () => {}
  createInterface({ input: child.stdout }).on('line', (line) => {
    const [verdict, id = ''] = line.split(' ')
    if (verdict === 'ok') accepted.add(id)
    if (verdict === 'no') refused.add(id)
    told()
  })
  const ended = new Promise<void>((resolve) => child.on('close', () => resolve()))
  return {
    process: child,
    accepted,
    refused,
    reached: (count) =>
      new Promise((resolve, reject) => {
        told = () => {
          if (accepted.size + refused.size >= count) resolve()
        }
        told()
        child.on('close', () => reject(new Error(`worker ${name} ended by itself`)))
      }),
    async kill() {
      child.kill('SIGKILL')
      await ended
    },
  }
}

async function fundAll(books: TestBooks, book: Book): Promise<void> {
  for (let index = 0; index < 12; index++) await books.fund(book, `avail:InternalAccount:${index}`, 1_000n)
}

/** Everything acknowledged is there once, nothing refused is, and each transfer has its event. */
async function expectSound(books: TestBooks, book: Book, workers: readonly Worker[]): Promise<void> {
  const transfers = await books.rows<{ id: string }>(book, 'ledger_transfers')
  const written = new Set(transfers.map(({ id }) => id))
  expect(written.size).toBe(transfers.length)
  for (const { accepted, refused } of workers) {
    expect([...accepted].filter((id) => !written.has(id))).toEqual([])
    expect([...refused].filter((id) => written.has(id))).toEqual([])
  }
  const events = await books.rows<{ resource_id: string }>(book, 'events')
  const moved = transfers.filter(({ id }) => !id.startsWith('fund:')).map(({ id }) => id)
  expect(events.map((event) => event.resource_id).sort()).toEqual(moved.sort())
  expect(await checkLedger(books.database, book)).toEqual(soundLedger)
}

/** A killed process has asked for things that its sessions go on with until they notice. Only the owner sees them all. */
async function untilNothingRuns({ database }: TestBooks): Promise<void> {
  const text = `select count(*) as sessions from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and state <> 'idle'`
  for (;;) {
    const [row] = await database.maintenance((connection) =>
      connection.query<{ sessions: bigint }>({ name: 'test.sessions', text }),
    )
    if (row!.sessions === 0n) return
  }
}

const serverUrl = process.env.CORRIDOR_TEST_DATABASE_URL

it.skipIf(!serverUrl)(
  'two processes on one PostgreSQL database neither lose nor double anything, one of them killed twice',
  async () => {
    const driver = await openTestDatabase()
    const books = createTestBooks(driver)
    const [row] = await books.database.system((connection) =>
      connection.query<{ name: string }>({ name: 'test.name', text: 'select current_database() as name' }),
    )
    const url = new URL(serverUrl!)
    url.pathname = `/${row!.name}`
    const book = await books.open()
    await fundAll(books, book)

    const steady = startWorker(url.href, book, 'steady')
    const workers = [steady]
    for (const life of ['first', 'second']) {
      const doomed = startWorker(url.href, book, life)
      workers.push(doomed)
      await doomed.reached(verdictsBeforeKill)
      await doomed.kill()
    }
    await steady.reached(workers.at(-1)!.accepted.size + verdictsBeforeKill)
    await steady.kill()
    await untilNothingRuns(books)

    await expectSound(books, book, workers)
    for (const { accepted, refused } of workers) {
      expect(accepted.size).toBeGreaterThan(0)
      expect(refused.size).toBeGreaterThan(0)
    }
    await books.database.close()
  },
)

it('a killed process on an embedded database loses nothing that it acknowledged', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'corridor-killed-'))
  const location = join(directory, 'data')
  try {
    const template = await openMigrated(location)
    const seeded = createTestBooks(template)
    const book = await seeded.open()
    await fundAll(seeded, book)
    await seeded.database.close()

    const doomed = startWorker(location, book, 'doomed')
    await doomed.reached(verdictsBeforeKill)
    await doomed.kill()

    const reopened = createTestBooks(await openPglite({ directory: location }), 2)
    await expectSound(reopened, book, [doomed])
    await reopened.database.close()
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
})
