import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { DatabaseUnavailable } from '@corridor/engine/mechanisms/db/availability.ts'
import { MigrationRefused } from '@corridor/engine/mechanisms/db/migrate.ts'
import { DamagedDatabase } from '@corridor/engine/mechanisms/db/pglite.ts'
import { expect, test } from 'vitest'
import { StartRefused } from './config.ts'
import { explain } from './exit.ts'

test.each([
  [{ code: 'EADDRINUSE', port: 8080 }, 'Port 8080 is in use by another process'],
  [{ code: 'EACCES', port: 80 }, 'You have no permission to open port 80'],
  [
    { code: 'EACCES', path: '/data/corridor.lock' },
    'Cannot write to /data/corridor.lock: you have no permission',
  ],
  [{ code: 'EROFS', path: '/data/master.key' }, 'the file system is read-only'],
  [{ code: 'ENOSPC', path: '/data/master.key' }, 'the disk is full'],
  [
    { code: 'ENOTFOUND', hostname: 'db.example' },
    'cannot resolve the host name in HOST or DATABASE_URL: db.example.',
  ],
  [{ code: 'EADDRNOTAVAIL', address: '192.0.2.1', port: 8080 }, 'The address 192.0.2.1 is not available'],
  [
    { code: 'ECONNREFUSED', address: '10.0.0.1', port: 5432 },
    'No PostgreSQL server responds at DATABASE_URL',
  ],
  [{ code: 'ETIMEDOUT', address: '10.0.0.1', port: 5432 }, '10.0.0.1:5432'],
  [
    { code: 'ENOENT', address: '/run/postgresql/.s.PGSQL.5432' },
    'No PostgreSQL server responds at the socket /run/',
  ],
  [{ code: 'EACCES', address: '/run/postgresql/.s.PGSQL.5432' }, 'you have no permission to open it'],
  [{ code: '28P01' }, 'rejects the user, the password or the database'],
  [{ code: '57P03' }, 'is starting, recovering or stopping'],
  [{ code: '53300' }, 'has no free connection'],
  [{ code: '42501' }, 'lacks rights'],
  [{ code: 'XX001' }, 'The database is damaged'],
])('%j is explained to the operator', (failure, expected) => {
  expect(explain(Object.assign(new Error('raw'), failure))).toContain(expected)
})

test('a database that cannot be asked is explained by what it said, or by that alone', () => {
  const said = Object.assign(new Error('raw'), { code: '57P03' })
  expect(explain(new DatabaseUnavailable('AWAY', 'raw', said))).toContain(
    'is starting, recovering or stopping',
  )
  expect(explain(new DatabaseUnavailable('BUSY', 'no connection became free'))).toMatch(
    /does not respond: no connection became free\. Start again/,
  )
})

test('a database that is damaged or newer is explained with what to do', () => {
  expect(explain(new DamagedDatabase('/data/database', new Error('Aborted()')))).toMatch(
    /database is damaged.*\/data\/database.*Restore a copy/,
  )
  expect(explain(new MigrationRefused('the database is newer'))).toMatch(/did not start.*is newer/)
  const stopping = Object.assign(new Error('raw'), { code: '57P03' })
  expect(explain(new DatabaseUnavailable('AWAY', 'raw', stopping))).toMatch(
    /starting, recovering or stopping/,
  )
})

test('a refusal speaks for itself, and a fault of ours is not explained away', () => {
  expect(explain(new StartRefused('so it is'))).toBe('so it is')
  for (const fault of [
    new TypeError('x is undefined'),
    Object.assign(new Error(), { code: 'ENOENT', path: '/x' }),
  ]) {
    expect(explain(fault)).toBeUndefined()
  }
})

test('a start without its database ends with one line, whoever asks the database first', () => {
  const data = mkdtempSync(join(tmpdir(), 'corridor-exit-'))
  try {
    const main = fileURLToPath(new URL('./main.ts', import.meta.url))
    for (const worlds of ['on', 'off']) {
      const { status, stderr } = spawnSync(
        process.execPath,
        ['--import', 'tsx', '--conditions', 'development', main],
        {
          env: {
            PATH: process.env.PATH,
            CORRIDOR_DATA_DIR: data,
            CORRIDOR_WORLDS: worlds,
            // Nobody listens at the first of all ports.
            DATABASE_URL: 'postgresql://corridor@127.0.0.1:1/corridor',
          },
          encoding: 'utf8',
        },
      )
      expect(stderr).toBe('No PostgreSQL server responds at DATABASE_URL (127.0.0.1:1).\n')
      expect(status).toBe(2)
    }
  } finally {
    rmSync(data, { recursive: true, force: true })
  }
}, 60_000)

test('a start on a database that is less durable than it has to be ends with 2 and says why', () => {
  const data = mkdtempSync(join(tmpdir(), 'corridor-exit-'))
  try {
    const main = fileURLToPath(new URL('./main.ts', import.meta.url))
    const { status, stderr } = spawnSync(
      process.execPath,
      ['--import', 'tsx', '--conditions', 'development', main],
      {
        env: { PATH: process.env.PATH, CORRIDOR_DATA_DIR: data, CORRIDOR_DURABILITY: 'standby' },
        encoding: 'utf8',
      },
    )
    expect(stderr).toContain('CORRIDOR_DURABILITY=standby requires more than the embedded database provides')
    expect(status).toBe(2)
  } finally {
    rmSync(data, { recursive: true, force: true })
  }
}, 60_000)
