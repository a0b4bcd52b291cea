import { t } from '../../language/t.ts'

const unitsOf: readonly (readonly [seconds: number, told: (count: number) => string])[] = [
  [86_400, (count) => t('{count} d', { count })],
  [3_600, (count) => t('{count} h', { count })],
  [60, (count) => t('{count} min', { count })],
]

/** `5_400` seconds → `90 min`: the largest unit of which there are at least two. */
export function ageOf(seconds: number): string {
  for (const [size, told] of unitsOf) if (seconds >= 2 * size) return told(Math.floor(seconds / size))
  return t('{count} s', { count: Math.max(0, Math.floor(seconds)) })
}
