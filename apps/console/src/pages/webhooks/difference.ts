/** An attempt to deliver a webhook, as far as two of them are compared. */
export interface Compared {
  readonly status: number | null
  readonly error: string | null
  readonly milliseconds: number | null
  /** Null where it is not known; so are the times. */
  readonly answer?: string | null
  /** As they are written. */
  readonly times?: string | null
  readonly headers: Readonly<Record<string, string>>
}

export interface Difference {
  /** `status`, `error`, `milliseconds`, `times`, `answer` or the name of a header. */
  readonly of: string
  readonly before: string
  readonly after: string
}

/** What may not be known of one of two: then it is no difference. */
const unknownWhereNull: ReadonlySet<string> = new Set(['milliseconds', 'times', 'answer'])

/** What differs between two attempts; what is not known of one of them is left out. */
export function differencesOf(before: Compared, after: Compared): readonly Difference[] {
  const pairs: readonly (readonly [string, unknown, unknown])[] = [
    ['status', before.status, after.status],
    ['error', before.error, after.error],
    ['milliseconds', before.milliseconds, after.milliseconds],
    ['times', before.times, after.times],
    ['answer', before.answer, after.answer],
    ...Object.entries(after.headers).map(([name, value]) => [name, before.headers[name], value] as const),
  ]
  return pairs.flatMap(([of, a, b]) => {
    // No answer, or none that was an error, is something; what was not kept is nothing.
    const isUnknown = a === undefined || (unknownWhereNull.has(of) && (a === null || b === null))
    return isUnknown || a === b ? [] : [{ of, before: textOf(a), after: textOf(b) }]
  })
}

const textOf = (value: unknown) => (value === null || value === '' ? '—' : String(value))
