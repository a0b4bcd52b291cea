export interface SavedView {
  readonly name: string
  /** Its filters, as they stand in the address. */
  readonly query: string
}

const mostViews = 20
const longestName = 40
const longestQuery = 2_000

/** What a browser has kept; anything else that stands there is left out. */
export function viewsOf(kept: string | null): SavedView[] {
  let parsed: unknown
  try {
    parsed = JSON.parse(kept ?? '[]')
  } catch {
    return []
  }
  return Array.isArray(parsed) ? parsed.slice(0, mostViews).filter(isView) : []
}

function isView(value: unknown): value is SavedView {
  const { name, query } = (value ?? {}) as Partial<Record<keyof SavedView, unknown>>
  return (
    typeof name === 'string' &&
    name !== '' &&
    name.length <= longestName &&
    typeof query === 'string' &&
    query.length <= longestQuery
  )
}

/** With one more, in the place of one of its name; the oldest goes where there are too many. */
export function addView(views: readonly SavedView[], { name, query }: SavedView): SavedView[] {
  const added = { name: name.trim().slice(0, longestName), query }
  if (!isView(added)) return [...views]
  return [...views.filter((view) => view.name !== added.name), added].slice(-mostViews)
}
