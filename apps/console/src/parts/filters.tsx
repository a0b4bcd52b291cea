import { platformRuntime } from '@corridor/sdk/runtime.ts'
import { type FormEvent, useEffect, useRef } from 'react'
import { useKeys } from '../app/keys.ts'
import { useView } from '../app/places.tsx'
import { useSessions } from '../app/session.tsx'
import { useTime } from '../app/time.tsx'
import { rich, t } from '../language/t.ts'
import { words } from '../words.ts'
import { amountGiven, useAmountText } from './amount-filter.ts'
import { Moment, shortOf } from './facts.tsx'
import { timeOf } from './times.ts'

export interface Filter {
  /** The name of the query parameter, in the address and in the API. */
  readonly name: string
  readonly label: string
  /** What may be chosen; absent: text. */
  readonly options?: readonly string[]
  /** What is meant where nothing is chosen; absent: any of them. */
  readonly otherwise?: string
  /** A moment, and which edge of a day it is. */
  readonly time?: 'FROM' | 'UNTIL'
  /** An amount: in the smallest unit for the API, and as `100.00 USD` for the reader. */
  readonly isAmount?: true
  /** Stands with others behind a button, as it is seldom asked for. */
  readonly isSeldom?: true
}

interface FiltersProps {
  readonly of: readonly Filter[]
  /** What the button says; given where it looks something up rather than filter a list. */
  readonly says?: string
}

/** The filters of a list. They live in the address: reloading keeps them, and a link shares them. */
export function Filters({ of, says }: FiltersProps) {
  return (
    <>
      <Form of={of} says={says ?? t('Filter')} />
      {says === undefined && <Chips of={of} />}
    </>
  )
}

/** Each filter that is set, to be dropped alone: by the pointer, or with the keys, which then stand on the next one. */
function Chips({ of }: { readonly of: readonly Filter[] }) {
  const [view, change] = useView()
  const amountText = useAmountText(Object.fromEntries(view))
  const list = useRef<HTMLUListElement>(null)
  const dropped = useRef<number>(undefined)
  const given = of.filter(({ name }) => view.get(name))
  useEffect(() => {
    const chips = list.current?.querySelectorAll('button') ?? []
    if (dropped.current === undefined) return
    // After the last of them comes the list.
    const next = chips[Math.min(dropped.current, chips.length - 1)]
    dropped.current = undefined
    ;(next ?? document.querySelector<HTMLElement>('main .rows'))?.focus()
  }, [view])
  if (given.length === 0) return null
  const textOf = ({ name, options, isAmount }: Filter) => {
    const value = view.get(name)!
    if (isAmount) return amountText(value)
    return options && value === 'true' ? t('Yes') : shortOf(value)
  }
  const isMoment = ({ name, time: side }: Filter) =>
    side !== undefined && Number.isFinite(Date.parse(view.get(name)!))
  return (
    <ul ref={list} className="chips" aria-label={t('Active filters')}>
      {given.map((filter, index) => {
        const value = view.get(filter.name)!
        return (
          <li key={filter.name}>
            <button
              type="button"
              className="chip"
              title={value}
              onClick={() => {
                dropped.current = index
                change({ [filter.name]: undefined })
              }}
            >
              {isMoment(filter)
                ? rich('{label}: <at></at>', {
                    label: filter.label,
                    at: () => <Moment key="at" at={value} short />,
                  })
                : t('{label}: {value}', { label: filter.label, value: textOf(filter) })}
              <span className="hidden">{t(', drop it')}</span> <span aria-hidden="true">✕</span>
            </button>
          </li>
        )
      })}
    </ul>
  )
}

function Form({ of, says }: Required<FiltersProps>) {
  const [view, change] = useView()
  const { mode, aheadMs } = useTime()
  const form = useRef<HTMLFormElement>(null)
  useKeys({ '/': () => form.current?.querySelector<HTMLElement>('input,select')?.focus() })
  const { session } = useSessions()
  const amountText = useAmountText(Object.fromEntries(view))
  const shown = ({ name, isAmount }: Filter) => {
    const value = view.get(name) ?? ''
    return isAmount && value !== '' ? amountText(value) : value
  }
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const { elements } = event.currentTarget
    const given = new FormData(event.currentTarget)
    const texts = of.map(({ name }) => [name, String(given.get(name) ?? '').trim()] as const)
    const changes: Record<string, string> = Object.fromEntries(texts)
    for (const { name, time: side } of of) {
      if (side === undefined || !changes[name]) continue
      const at = timeOf(changes[name], {
        nowMs: platformRuntime.now() + aheadMs,
        mode: mode === 'utc' ? 'utc' : 'local',
        side,
      })
      if (at === undefined) return refuse(elements.namedItem(name), words.time.wrong)
      changes[name] = at
    }
    for (const { name, isAmount } of of) {
      if (!isAmount || !changes[name] || !session) continue
      try {
        const { amount, ...named } = await amountGiven(session.corridor, changes[name], changes)
        Object.assign(changes, named, { [name]: amount })
      } catch (error) {
        return refuse(elements.namedItem(name), (error as Error).message)
      }
    }
    change(changes)
  }
  const isFiltered = of.some(({ name }) => view.has(name))
  const seldom = of.filter(({ isSeldom }) => isSeldom)
  return (
    // Another view, another form: its fields begin with what the address says of them.
    <form
      ref={form}
      key={JSON.stringify(filtersOf(view, of))}
      className="filters"
      onSubmit={(event) => void submit(event)}
    >
      {of
        .filter(({ isSeldom }) => !isSeldom)
        .map((filter) => (
          <Field key={`${filter.name} ${shown(filter)}`} of={filter} value={shown(filter)} />
        ))}
      {seldom.length > 0 && (
        <details open={seldom.some(({ name }) => view.has(name))}>
          <summary>{t('More filters')}</summary>
          <div>
            {seldom.map((filter) => (
              <Field key={`${filter.name} ${shown(filter)}`} of={filter} value={shown(filter)} />
            ))}
          </div>
        </details>
      )}
      <button type="submit">{says}</button>
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

/** What is asked for, in the room of half a phone: figures and a code, which no language has its own words for. */
const exampleAmount = '100.00 USD'

function Field({
  of: { name, label, options, otherwise, time, isAmount },
  value,
}: {
  readonly of: Filter
  readonly value: string
}) {
  return (
    <label htmlFor={`filter-${name}`}>
      <span>{label}</span>
      {options ? (
        <select
          id={`filter-${name}`}
          name={name}
          defaultValue={value}
          onChange={(event) => event.currentTarget.form?.requestSubmit()}
        >
          <option value="">{otherwise ?? t('Any')}</option>
          {options.map((option) => (
            <option key={option} value={option}>
              {option === 'true' ? t('Yes') : option}
            </option>
          ))}
        </select>
      ) : (
        <input
          id={`filter-${name}`}
          name={name}
          defaultValue={value}
          maxLength={200}
          placeholder={time ? words.time.hint : isAmount && exampleAmount}
          onInput={(event) => event.currentTarget.setCustomValidity('')}
        />
      )}
    </label>
  )
}

/** The browser says it beside the field, and goes there. */
function refuse(field: unknown, says: string): void {
  if (!(field instanceof HTMLInputElement)) return
  field.setCustomValidity(says)
  field.reportValidity()
}

/** What the address says of these filters, as the API takes it. */
export function filtersOf(view: URLSearchParams, of: readonly Filter[]): Record<string, string> {
  const given = of.map(({ name }) => [name, view.get(name) ?? ''] as const)
  return Object.fromEntries(given.filter(([, value]) => value !== ''))
}
