import { spawnSync } from 'node:child_process'
import { buildServer } from '@corridor/testkit/built-server.ts'
import { describe, expect, it } from 'vitest'
import { root } from './installation.ts'

// README: `npm run demo`, and `npm run demo -- --verbose`.

describe('the demo', () => {
  it('plays one payment, and prints every request and its answer where asked', { timeout: 240_000 }, () => {
    buildServer()
    const demo = (...flags: string[]) =>
      spawnSync(process.execPath, ['apps/server/dist/demo.js', ...flags], {
        cwd: root,
        encoding: 'utf8',
        timeout: 100_000,
      })
    const brief = demo()
    expect([brief.status, brief.stderr]).toEqual([0, ''])
    expect(brief.stdout).toContain('500.00 USD from Ana')
    expect(brief.stdout).toContain('webhook OUTGOING_PAYMENT.COMPLETED, signature valid')
    expect(brief.stdout).not.toContain('> ')

    const { status, stdout } = demo('--verbose')
    expect(status).toBe(0)
    for (const call of ['> PATCH /2025-10-13/config', '> POST /2025-10-13/quotes', '< 201']) {
      expect(stdout).toContain(call)
    }
    expect(stdout).toContain('"fullName": "Ana Lopez"')
    expect(stdout.toLowerCase()).not.toContain('authorization')
  })
})
