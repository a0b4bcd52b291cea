import { textOf } from '../../parts/facts.tsx'

/** Minor units as text, which may be more than a number holds, as an amount for people. */
export function exactly(
  minor: string,
  currency: { readonly code: string; readonly decimals: number },
): string {
  return textOf({ amount: BigInt(minor), currency })
}

/** `avail …94242c`, with what comes after the id: ids of one moment begin alike, so their ends tell them apart. */
export const shortAccount = (id: string): string => id.replace(/:\w+:[0-9a-f-]{30}([0-9a-f]{6})/, ' …$1')
