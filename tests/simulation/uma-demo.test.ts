import { spawnSync } from 'node:child_process'
import { buildServer } from '@corridor/testkit/built-server.ts'
import { describe, expect, it } from 'vitest'
import { root } from './installation.ts'

// Webhooks-uma 7, W10 with real processes: two installations on one machine, `npm run demo:uma`.

describe('two installations in processes of their own', () => {
  it('pay each other both ways, end sound, and agree on what is owed', { timeout: 240_000 }, () => {
    buildServer()
    const { stdout, stderr, status } = spawnSync(
      process.execPath,
      ['--import', 'tsx', 'scripts/demo-uma.ts'],
      { cwd: root, encoding: 'utf8', timeout: 200_000 },
    )
    expect(stderr).toBe('')
    expect(stdout).toContain('85.66 EUR arrive')
    expect(stdout.match(/^ {3}COMPLETED at /gm)).toHaveLength(2)
    expect(stdout).toContain('"name":"Ana Lopez"')
    const owed = [...stdout.matchAll(/ transfers, sound; owes \w+ (-?\d+) msat/g)].map(([, text]) =>
      Number(text),
    )
    expect(owed).toHaveLength(2)
    expect(owed[0]).not.toBe(0)
    expect(owed[0]).toBe(-owed[1]!)
    expect(status).toBe(0)
  })
})
