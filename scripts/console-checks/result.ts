/** One line of the table. */
export interface Result {
  /** With its number in front. */
  readonly check: string
  readonly measured: string
  readonly target: string
  readonly isReached: boolean
  /** A matter of the machine and of what else it does: told, and no reason to fail. */
  readonly isSpeed?: boolean
  /** What was found, one a line, below the table. */
  readonly found?: readonly string[]
}

/** A check that counts what should not be there. */
export function none(check: string, found: readonly string[], of = ''): Result {
  return { check, measured: `${found.length}${of}`, target: '0', isReached: found.length === 0, found }
}

export function told(results: readonly Result[]): string {
  const rows = [
    ['check', 'measured', 'target', 'reached'],
    ...results.map(({ check, measured, target, isReached, isSpeed }) => [
      check,
      measured,
      target,
      isReached ? 'yes' : isSpeed ? 'no (speed)' : 'NO',
    ]),
  ]
  const widths = [0, 1, 2, 3].map((column) => Math.max(...rows.map((row) => row[column]!.length)))
  const table = rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column]!))
      .join(' · ')
      .trimEnd(),
  )
  const found = results.flatMap(({ check, found }) => (found ?? []).map((each) => `${check.trim()}: ${each}`))
  return [...table, ...(found.length > 0 ? ['', ...found] : [])].join('\n')
}
