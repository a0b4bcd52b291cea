import type { Item } from '@corridor/sdk/index.ts'

export type Fault = Item<'listSandboxFaults'>

/** How many more it hits; undefined: as many as it fits. */
export function leftOf({ times, hits }: Fault): number | undefined {
  return times === undefined ? undefined : Math.max(0, times - hits)
}

/** `operationId createQuote · minAmount 500`. */
export function told(of: object): string {
  const entries = Object.entries(of)
  return entries.length === 0 ? '—' : entries.map(([name, value]) => `${name} ${value}`).join(' · ')
}
