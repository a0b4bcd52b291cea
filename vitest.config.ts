import { configDefaults, defineConfig } from 'vitest/config'
import { LongestFirst } from './scripts/test/longest-first.ts'
import { currentPart, filesOf } from './tests/places.ts'

const part = currentPart()
const { include, exclude } = filesOf(part)

export default defineConfig({
  test: {
    include,
    exclude: [...configDefaults.exclude, ...exclude],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // One second, the default, is too short on a busy machine.
    expect: { poll: { timeout: 20_000 } },
    // A worker waits while PostgreSQL or Chromium works for it.
    maxWorkers: part === 'server' ? 3 : 2,
    sequence: { sequencer: LongestFirst },
    // Importing the engine anew for each file took half of the run. No module keeps state of a test.
    isolate: false,
    runner: 'packages/testkit/src/runner.ts',
    globalSetup: 'packages/testkit/src/global-setup.ts',
    setupFiles: 'packages/testkit/src/fail-on-unexpected.ts',
    reporters: ['default', 'scripts/test/summary.ts'],
  },
})
