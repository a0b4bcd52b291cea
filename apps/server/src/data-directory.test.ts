import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { silentLog } from '@corridor/kernel'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { StartRefused } from './config.ts'
import { openDataDirectory } from './data-directory.ts'
import { realWorld } from './real-world.ts'

let path: string
beforeEach(() => {
  path = mkdtempSync(join(tmpdir(), 'corridor-data-'))
})
afterEach(() => rmSync(path, { recursive: true, force: true }))

const world = realWorld(silentLog)

describe('data directory', () => {
  it('makes a master key once, for its owner alone, and gives the same one ever after', () => {
    const first = openDataDirectory(path).masterKey(world)
    const second = openDataDirectory(path).masterKey(world)
    expect(second).toEqual(first)
    expect(first).toHaveLength(32)
    expect(statSync(join(path, 'master.key')).mode & 0o777).toBe(0o600)
  })

  it('refuses a second holder of the lock and names the first', () => {
    const release = openDataDirectory(path).lock()
    expect(() => openDataDirectory(path).lock()).toThrow(StartRefused)
    expect(() => openDataDirectory(path).lock()).toThrow(`process ${process.pid}`)
    release()
    openDataDirectory(path).lock()()
  })

  it('takes over a lock whose holder is gone or whose process id means another process now', () => {
    const file = join(path, 'corridor.lock')
    writeFileSync(file, '4194304 1\n')
    openDataDirectory(path).lock()()
    writeFileSync(file, `${process.pid} 1\n`)
    const release = openDataDirectory(path).lock()
    expect(readFileSync(file, 'utf8')).not.toBe(`${process.pid} 1\n`)
    release()
  })

  it('replaces a private file as a whole', () => {
    const directory = openDataDirectory(path)
    directory.writePrivate(directory.credentialsPath, 'first')
    directory.writePrivate(directory.credentialsPath, 'second')
    expect(readFileSync(directory.credentialsPath, 'utf8')).toBe('second')
    expect(statSync(directory.credentialsPath).mode & 0o777).toBe(0o600)
  })
})
