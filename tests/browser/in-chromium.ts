import { describe } from 'vitest'
import { findChromium } from './browser.ts'

/** Tests that need a real browser: where there is none they are skipped, and say so. */
export function describeInChromium(name: string, body: (executable: string) => void): void {
  const executable = findChromium()
  if (!executable) {
    console.error(`SKIPPED: no Chromium here and none could be installed; NOT tested: ${name}.`)
  }
  describe.skipIf(!executable)(name, () => body(executable!))
}
