import { describe } from 'vitest'
import { currentPart } from '../places.ts'
import { findChromium } from './browser.ts'

/** Tests that need a real browser. `npm test` skips them, and counts them in its summary. */
export function describeInChromium(name: string, body: (executable: string) => void): void {
  const executable = currentPart() === 'node' ? undefined : findChromium()
  const options = { skip: !executable, meta: { needs: 'Chromium' } }
  describe(name, options, () => body(executable!))
}
