import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: [
      'packages/*/src/**/*.test.ts',
      'apps/*/src/**/*.test.ts',
      'tests/**/*.test.ts',
      'scripts/**/*.test.ts',
    ],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // One second, its own limit, is little on a machine that does other things as well.
    expect: { poll: { timeout: 20_000 } },
    maxWorkers: 2,
    // No module keeps anything of a test, and importing the engine anew for each file was half the run.
    isolate: false,
    runner: 'packages/testkit/src/runner.ts',
    globalSetup: 'packages/testkit/src/global-setup.ts',
  },
})
