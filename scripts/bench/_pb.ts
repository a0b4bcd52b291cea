import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { openPostgresql } from '../../packages/engine/src/db/postgresql.ts'
import { prepareDatabase, seedBook } from './book.ts'
import { runPgbench } from './pgbench.ts'
import pg from 'pg'
const run = promisify(execFile)
const url = 'postgresql://postgres@127.0.0.1:54390/'
const cluster: any = { program: async (n: string, p: string[]) => (await run('/usr/lib/postgresql/15/bin/' + n, ['-h', '127.0.0.1', '-p', '54390', '-U', 'postgres', ...p])).stdout }
const admin = new pg.Client({ connectionString: url + 'postgres' }); await admin.connect()
await admin.query('drop database if exists pb with (force)'); await admin.query('create database pb')
const driver = openPostgresql({ url: url + 'pb' })
const database = await prepareDatabase(driver)
const book = { platformId: '01930000-0000-7000-8000-0000000000aa', environment: 'PRODUCTION' as const }
await seedBook(database, book, 100000)
for (const distribution of ['uniform', 'hot'] as const) for (const style of ['interactive', 'onecall'] as const)
  console.log(style, distribution, await runPgbench(cluster, { database: 'pb', book, style, distribution, accounts: 100000, clients: 32, seconds: 4 }))
await database.close(); await admin.end()
