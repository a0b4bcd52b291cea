import type { FaultParams } from './fault.ts'

/** Does the same so many times, one after the other or all at once; what the last of them came to. */
export async function repeated<T>(
  copies: number,
  order: FaultParams['order'],
  work: () => Promise<T>,
): Promise<T> {
  if (order === 'AT_ONCE') return (await Promise.all(Array.from({ length: copies }, work))).at(-1)!
  for (let copy = 1; copy < copies; copy++) await work()
  return work()
}
