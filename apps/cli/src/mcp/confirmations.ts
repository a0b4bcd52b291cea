import { misused } from '../exit.ts'

/** Words that a dry run gives, and the real run needs: each once, within ten minutes, for what was shown. */
export interface Confirmations {
  give(tool: string, meaning: unknown): string
  /** What was shown, or a failure. The word is not spent by it, nor good for longer. */
  look(word: string, tool: string): unknown
  spend(word: string): void
  /** Both: what was shown, or a failure, and the word is spent. */
  take(word: string, tool: string): unknown
}

const keptMs = 10 * 60_000
const mostKept = 100

export function confirmations(now: () => number, uuid: () => string): Confirmations {
  const kept = new Map<string, { readonly tool: string; readonly meaning: unknown; readonly until: number }>()
  const look = (word: string, tool: string) => {
    const found = kept.get(word)
    if (!found || found.tool !== tool || found.until < now()) {
      throw misused('The confirm word is wrong or has expired.', 'Start again without `confirm`.')
    }
    return found.meaning
  }
  const spend = (word: string) => void kept.delete(word)
  return {
    look,
    spend,
    give(tool, meaning) {
      const word = uuid()
      kept.set(word, { tool, meaning, until: now() + keptMs })
      const [oldest] = kept.keys()
      if (kept.size > mostKept) kept.delete(oldest!)
      return word
    },
    take(word, tool) {
      try {
        return look(word, tool)
      } finally {
        spend(word)
      }
    },
  }
}
