import { t } from '../../language/t.ts'

const unitsOf = (ms: number) => {
  const seconds = Math.max(0, Math.round(ms / 1_000))
  return [
    [Math.floor(seconds / 86_400), (n: number) => t('{n} d', { n })],
    [Math.floor(seconds / 3_600) % 24, (n: number) => t('{n} h', { n })],
    [Math.floor(seconds / 60) % 60, (n: number) => t('{n} m', { n })],
    [seconds % 60, (n: number) => t('{n} s', { n })],
  ] as const
}

/** Milliseconds as `6 d 23 h` or `4 m 12 s`: to the second, and in the two largest units that say something. */
export function spanOf(ms: number): string {
  const units = unitsOf(ms)
  const first = units.findIndex(([count]) => count > 0)
  if (first < 0) return t('{n} s', { n: 0 })
  return units
    .slice(first, first + 2)
    .filter(([count]) => count > 0)
    .map(([count, say]) => say(count))
    .join(' ')
}
