import { misused } from '../exit.ts'

/** Words that a dry run gives, and the real run needs: each once, within ten minutes, for what was shown. */
export interface Confirmations {
  give(tool: string, meaning: unknown): string
  /** What was shown, or a failure. */
  take(word: string, tool: string): unknown
}

const keptMs = 10 * 60_000
const mostKept = 100

export function confirmations(now: () => number, uuid: () => string): Confirmations {
  const kept = new Map<string, { readonly tool: string; readonly meaning: unknown; readonly until: number }>()
  return {
    give(tool, meaning) {
      const word = uuid()
      kept.set(word, { tool, meaning, until: now() + keptMs })
      const [oldest] = kept.keys()
      if (kept.size > mostKept) kept.delete(oldest!)
      return word
    },
    take(word, tool) {
      const found = kept.get(word)
      kept.delete(word)
      if (!found || found.tool !== tool || found.until < now()) {
        throw misused('The confirm word is not good, or no longer.', 'Begin again without confirm.')
      }
      return found.meaning
    },
  }
}
