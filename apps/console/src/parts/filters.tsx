import { type FormEvent, useRef } from 'react'
import { useKeys } from '../app/keys.ts'
import { useView } from '../app/places.tsx'
import { words } from '../words.ts'

export interface Filter {
  /** The name of the query parameter, in the address and in the API. */
  readonly name: string
  readonly label: string
  /** What may be chosen; absent: text. */
  readonly options?: readonly string[]
}

/** The filters of a list. They live in the address: reloading keeps them, and a link shares them. */
export function Filters({ of }: { readonly of: readonly Filter[] }) {
  const [view, change] = useView()
  const form = useRef<HTMLFormElement>(null)
  useKeys({ '/': () => form.current?.querySelector<HTMLElement>('input,select')?.focus() })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const given = new FormData(event.currentTarget)
    change(Object.fromEntries(of.map(({ name }) => [name, String(given.get(name) ?? '').trim()])))
  }
  const isFiltered = of.some(({ name }) => view.has(name))
  return (
    // Another view, another form: its fields begin with what the address says.
    <form ref={form} key={view.toString()} className="filters" onSubmit={submit}>
      {of.map(({ name, label, options }) => (
        <label key={name} htmlFor={`filter-${name}`}>
          <span>{label}</span>
          {options ? (
            <select
              id={`filter-${name}`}
              name={name}
              defaultValue={view.get(name) ?? ''}
              onChange={(event) => event.currentTarget.form?.requestSubmit()}
            >
              <option value="">Any</option>
              {options.map((option) => (
                <option key={option}>{option}</option>
              ))}
            </select>
          ) : (
            <input id={`filter-${name}`} name={name} defaultValue={view.get(name) ?? ''} maxLength={200} />
          )}
        </label>
      ))}
      <button type="submit">Filter</button>
      {isFiltered && (
        <button
          type="button"
          className="quiet"
          onClick={() => change(Object.fromEntries(of.map(({ name }) => [name, undefined])))}
        >
          {words.states.dropFilters}
        </button>
      )}
    </form>
  )
}

/** What the address says of these filters, as the API takes it. */
export function filtersOf(view: URLSearchParams, of: readonly Filter[]): Record<string, string> {
  const given = of.map(({ name }) => [name, view.get(name) ?? ''] as const)
  return Object.fromEntries(given.filter(([, value]) => value !== ''))
}
