import { type FormEvent, useState } from 'react'
import { Go, useView } from '../app/places.tsx'
import { useSession } from '../app/session.tsx'
import { words } from '../words.ts'
import type { Filter } from './filters.tsx'
import { addView, type SavedView, viewsOf } from './kept-views.ts'

interface SavedViewsProps {
  readonly of: readonly Filter[]
  readonly page: string
  /** Views that everybody has, with how many rows each leaves, where it is known. */
  readonly standing?: readonly (SavedView & { readonly count?: number | undefined })[]
}

/** Filters under a name, kept in this browser; each is an address, so it can be shared as one too. */
export function SavedViews({ of, page, standing = [] }: SavedViewsProps) {
  const { platform, environment } = useSession()
  const place = `corridor.views.${platform}.${environment}.${page}`
  const [view] = useView()
  const [views, setViews] = useState(() => read(place))
  const [isNaming, setNaming] = useState(false)
  const now = queryOf(view, of)
  const keep = (next: readonly SavedView[]) => {
    setViews(next)
    write(place, next)
  }
  const save = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const name = String(new FormData(event.currentTarget).get('name') ?? '')
    keep(addView(views, { name, query: now }))
    setNaming(false)
  }
  const current = views.find(({ query }) => query === now)
  const isStanding = standing.some(({ query }) => query === now)
  if (views.length === 0 && standing.length === 0 && now === '') return null
  return (
    <nav className="views" aria-label={words.lists.views}>
      <Go to={page} aria-current={now === '' ? 'true' : undefined}>
        {words.lists.all}
      </Go>
      {standing.map(({ name, query, count }) => (
        <Go key={query} to={`${page}?${query}`} aria-current={query === now ? 'true' : undefined}>
          {name}
          {count !== undefined && ` ${count}`}
        </Go>
      ))}
      {views.map(({ name, query }) => (
        <Go key={name} to={`${page}?${query}`} aria-current={query === now ? 'true' : undefined}>
          {name}
        </Go>
      ))}
      {current && (
        <button
          type="button"
          className="quiet"
          onClick={() => keep(views.filter(({ name }) => name !== current.name))}
        >
          {words.lists.forget(current.name)}
        </button>
      )}
      {now !== '' && !current && !isStanding && !isNaming && (
        <button type="button" className="quiet" onClick={() => setNaming(true)}>
          {words.lists.saveView}
        </button>
      )}
      {isNaming && (
        <form onSubmit={save}>
          <label htmlFor="view-name">
            <span>{words.lists.viewName}</span>
            {/* biome-ignore lint/a11y/noAutofocus: who pressed the button wants to type the name */}
            <input id="view-name" name="name" required maxLength={40} autoComplete="off" autoFocus />
          </label>
          <button type="submit">{words.lists.keepView}</button>
          <button type="button" className="quiet" onClick={() => setNaming(false)}>
            {words.lists.noView}
          </button>
        </form>
      )}
    </nav>
  )
}

/** The filters alone, in their order: the same ones are the same view, however they came about. */
function queryOf(view: URLSearchParams, of: readonly Filter[]): string {
  const given = of.flatMap(({ name }) => {
    const value = view.get(name)
    return value ? [[name, value]] : []
  })
  return new URLSearchParams(given).toString()
}

function read(place: string): readonly SavedView[] {
  try {
    return viewsOf(localStorage.getItem(place))
  } catch {
    return []
  }
}

/** A browser that keeps nothing has them until the page is left. */
function write(place: string, views: readonly SavedView[]): void {
  try {
    localStorage.setItem(place, JSON.stringify(views))
  } catch {}
}
