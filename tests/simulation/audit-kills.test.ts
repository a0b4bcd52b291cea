import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { buildServer } from '@corridor/testkit/built-server.ts'
import { layMigratedCluster } from '@corridor/testkit/migrated-cluster.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { root } from './installation.ts'

/** The audit program is killed in the middle, and goes on where it was. */

const directory = mkdtempSync(join(tmpdir(), 'corridor-audit-'))
const progress = join(directory, 'audit-progress.json')
beforeAll(() => {
  buildServer()
  layMigratedCluster(directory)
})
afterAll(() => rmSync(directory, { recursive: true, force: true }))

function startAudit() {
  const child = spawn(process.execPath, [join(root, 'apps/server/dist/audit.js')], {
    env: { PATH: process.env.PATH ?? '', CORRIDOR_DATA_DIR: directory },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const said = { report: '', terminal: '' }
  child.stdout.on('data', (chunk: Buffer) => {
    said.report += chunk
  })
  child.stderr.on('data', (chunk: Buffer) => {
    said.terminal += chunk
  })
  return { child, said, ended: once(child, 'close') as Promise<[number | null]> }
}

/** Kills the program after its first step; false if it was faster. */
async function killInTheMiddle(): Promise<boolean> {
  const { child, ended } = startAudit()
  while (!existsSync(progress) && child.exitCode === null) await wait(1)
  child.kill('SIGKILL')
  await ended
  return existsSync(progress)
}

it('goes on after kill -9 with the rules that are left, and starts from the beginning after it has ended', async () => {
  let wasKilled = false
  for (let attempt = 0; attempt < 5 && !wasKilled; attempt++) wasKilled = await killInTheMiddle()
  expect(wasKilled).toBe(true)

  const second = startAudit()
  expect(await second.ended).toEqual([0, null])
  expect(second.said.terminal).toMatch(/^Resuming the audit that started at .+: \d+ of \d+ rules are done\./)
  expect(JSON.parse(second.said.report)).toMatchObject({ sound: true, problems: [] })
  expect(existsSync(progress)).toBe(false)

  const third = startAudit()
  expect(await third.ended).toEqual([0, null])
  expect(third.said.terminal).toBe('')
}, 120_000)
