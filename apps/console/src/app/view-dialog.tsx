import { useEffect, useRef } from 'react'
import { amounts, amountsIn, locale, locales, speak, waysOfAmounts } from '../language/locale.ts'
import { type TimeMode, timeModes } from '../parts/times.ts'
import { words } from '../words.ts'
import { useView } from './places.tsx'
import { type Preferences, prefer, usePreference } from './preferences.ts'
import { useTimeMode } from './time-mode.ts'

/** How pages look and which keys act: the time in the address, so that it is shared with it; the rest in the browser. */
export function ViewDialog({
  isOperator,
  onClose,
}: {
  readonly isOperator: boolean
  readonly onClose: () => void
}) {
  const dialog = useRef<HTMLDialogElement>(null)
  const [, change] = useView()
  useEffect(() => dialog.current?.showModal(), [])
  return (
    <dialog ref={dialog} className="palette" aria-label={words.view.title} onClose={onClose}>
      <h2>{words.view.title}</h2>
      <div className="fields">
        <Choice
          label={words.view.time}
          value={useTimeMode()}
          names={words.view.times}
          values={timeModes}
          onChange={(mode: TimeMode) => change({ time: mode === 'local' ? undefined : mode })}
        />
        <Kept name="rows" first={isOperator ? 'compact' : 'comfortable'} />
        <Kept name="lists" first="window" />
        <Kept name="keys" first="on" />
        <Choice
          label={words.view.amounts}
          value={amounts}
          names={waysOfAmounts}
          values={Object.keys(waysOfAmounts) as (typeof amounts)[]}
          onChange={amountsIn}
        />
        <Choice
          label={words.view.language}
          value={locale}
          names={words.view.languages}
          values={locales}
          onChange={speak}
        />
      </div>
      <p className="muted">{words.view.kept}</p>
      <button type="button" className="main" onClick={() => dialog.current?.close()}>
        {words.view.done}
      </button>
    </dialog>
  )
}

interface ChoiceProps<T extends string> {
  readonly label: string
  readonly value: T
  readonly values: readonly T[]
  readonly names: Readonly<Record<T, string>>
  readonly onChange: (value: T) => void
}

function Choice<T extends string>({ label, value, values, names, onChange }: ChoiceProps<T>) {
  return (
    <label>
      <span>{label}</span>
      <select value={value} onChange={(event) => onChange(event.target.value as T)}>
        {values.map((each) => (
          <option key={each} value={each}>
            {names[each]}
          </option>
        ))}
      </select>
    </label>
  )
}

function Kept<N extends keyof Preferences>({
  name,
  first,
}: {
  readonly name: N
  readonly first: Preferences[N]
}) {
  const chosen = usePreference(name)
  const { label, values } = words.view.kinds[name] as {
    readonly label: string
    readonly values: Readonly<Record<Preferences[N], string>>
  }
  return (
    <Choice<Preferences[N]>
      label={label}
      value={chosen ?? first}
      values={Object.keys(values) as Preferences[N][]}
      names={values}
      onChange={(value) => prefer(name, value)}
    />
  )
}
