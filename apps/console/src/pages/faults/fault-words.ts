import type { Item } from '@corridor/sdk/index.ts'
import { t } from '../../language/t.ts'
import { useLeft } from '../../parts/until.tsx'
import { words } from '../../words.ts'

export type Fault = Item<'listSandboxFaults'>

/** How many more it hits; undefined: as many as it fits. */
export function leftOf({ times, hits }: Fault): number | undefined {
  return times === undefined ? undefined : Math.max(0, times - hits)
}

/** Whether it has hit as often as it may, or its time is up by the clock of the sandbox: nothing is left of it to end. */
export function useIsOver(fault: Fault): boolean {
  const leftMs = useLeft(fault.until)
  return leftOf(fault) === 0 || (leftMs !== undefined && leftMs <= 0)
}

/** How much is left of it, in words. */
export function useLeftWords(fault: Fault): string {
  return words.faults.left(useIsOver(fault) ? 0 : leftOf(fault))
}

/** `operationId createQuote · minAmount 500`, `5 ms`. */
export function told(of: object): string {
  const entries = Object.entries(of)
  const tell = ([name, value]: [string, unknown]) =>
    name === 'ms' ? t('{ms} ms', { ms: String(value) }) : `${name} ${value}`
  return entries.length === 0 ? '—' : entries.map(tell).join(' · ')
}
