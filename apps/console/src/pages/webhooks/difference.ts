/** An attempt to deliver a webhook, as far as two of them are compared. */
export interface Compared {
  readonly status: number | null
  readonly error: string | null
  readonly milliseconds: number | null
  readonly headers: Readonly<Record<string, string>>
}

export interface Difference {
  /** `status`, `error`, `milliseconds` or the name of a header. */
  readonly of: string
  readonly before: string
  readonly after: string
}

/** What differs between two attempts; what is not known of one of them is left out. */
export function differencesOf(before: Compared, after: Compared): readonly Difference[] {
  const pairs: readonly (readonly [string, unknown, unknown])[] = [
    ['status', before.status, after.status],
    ['error', before.error, after.error],
    ['milliseconds', before.milliseconds, after.milliseconds],
    ...Object.entries(after.headers).map(([name, value]) => [name, before.headers[name], value] as const),
  ]
  return pairs.flatMap(([of, a, b]) => {
    // No answer, or none that was an error, is something; what was not kept is nothing.
    const isUnknown = a === undefined || (of === 'milliseconds' && (a === null || b === null))
    return isUnknown || a === b ? [] : [{ of, before: textOf(a), after: textOf(b) }]
  })
}

const textOf = (value: unknown) => (value === null ? '—' : String(value))
