import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
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
const startTimeOf = (pid: number) => readFileSync(`/proc/${pid}/stat`, 'utf8').split(' ')[21]

describe('data directory', () => {
  it('makes a master key once, for its owner alone, and gives the same one ever after', () => {
    const first = openDataDirectory(path).masterKey(world)
    const second = openDataDirectory(path).masterKey(world)
    expect(second).toEqual(first)
    expect(first).toHaveLength(32)
    expect(statSync(join(path, 'master.key')).mode & 0o777).toBe(0o600)
  })

  it('refuses a second holder of the lock and names the first', async () => {
    const release = await openDataDirectory(path).lock(world)
    await expect(openDataDirectory(path).lock(world)).rejects.toThrow(StartRefused)
    await expect(openDataDirectory(path).lock(world)).rejects.toThrow(`process ${process.pid}`)
    release()
    ;(await openDataDirectory(path).lock(world))()
  })

  it('lets one of many that start at the same moment have it, however long the path is', async () => {
    const deep = join(path, 'a-folder-with-a-long-name/'.repeat(8))
    for (let round = 0; round < 20; round++) {
      const outcomes = await Promise.allSettled(
        Array.from({ length: 5 }, () => openDataDirectory(deep).lock(world)),
      )
      const releases = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []))
      expect(releases).toHaveLength(1)
      releases[0]!()
    }
    expect(readdirSync(join(deep, 'corridor.lock.d'))).toEqual([])
  })

  it('takes over a lock whose holder is gone or whose process id means another process now', async () => {
    const file = join(path, 'corridor.lock')
    writeFileSync(file, '4194304 1\n')
    ;(await openDataDirectory(path).lock(world))()
    writeFileSync(file, `${process.pid} 1\n`)
    const release = await openDataDirectory(path).lock(world)
    expect(readFileSync(file, 'utf8')).not.toBe(`${process.pid} 1\n`)
    release()
  })

  it('respects a release that knew the lock file only, while it runs', async () => {
    const older = spawn('sleep', ['60'])
    writeFileSync(join(path, 'corridor.lock'), `${older.pid} ${startTimeOf(older.pid!)}\n`)
    await expect(openDataDirectory(path).lock(world)).rejects.toThrow(`process ${older.pid}`)
    const gone = once(older, 'exit')
    older.kill('SIGKILL')
    await gone
    ;(await openDataDirectory(path).lock(world))()
  })

  it('takes a dead process for dead before anybody has taken note of its death', async () => {
    // The shell becomes a program that never asks for the exit code of its child.
    const parent = spawn('sh', ['-c', 'sleep 60 & echo $!; exec sleep 60'], {
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    const [chunk] = (await once(parent.stdout, 'data')) as [Buffer]
    const pid = Number(chunk.toString())
    writeFileSync(join(path, 'corridor.lock'), `${pid} ${startTimeOf(pid)}\n`)
    await expect.poll(() => readFileSync(`/proc/${parent.pid}/comm`, 'utf8')).toBe('sleep\n')
    process.kill(pid, 'SIGKILL')
    await expect.poll(() => readFileSync(`/proc/${pid}/stat`, 'utf8')).toContain(') Z ')
    ;(await openDataDirectory(path).lock(world))()
    parent.kill('SIGKILL')
  })

  it.each(['/proc/corridor', '/proc/self/a/b', '/dev/null/data', '/sys/corridor/a'])(
    'says so where no folder can be made: %s',
    (place) => {
      expect(() => openDataDirectory(place)).toThrow(StartRefused)
      expect(() => openDataDirectory(place)).toThrow('CORRIDOR_DATA_DIR')
    },
  )

  it('says so where folders are and nothing can be written', async () => {
    await expect(openDataDirectory('/proc/self').lock(world)).rejects.toThrow(StartRefused)
    expect(() => openDataDirectory('/proc/self').masterKey(world)).toThrow('CORRIDOR_DATA_DIR')
    expect(() => openDataDirectory('/proc/self').spool()).toThrow('CORRIDOR_DATA_DIR')
  })

  it('replaces a private file as a whole', () => {
    const directory = openDataDirectory(path)
    directory.writePrivate(directory.credentialsPath, 'first')
    directory.writePrivate(directory.credentialsPath, 'second')
    expect(readFileSync(directory.credentialsPath, 'utf8')).toBe('second')
    expect(statSync(directory.credentialsPath).mode & 0o777).toBe(0o600)
  })
})
