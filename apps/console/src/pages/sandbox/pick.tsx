import { useId, useState } from 'react'
import { words } from '../../words.ts'
import { another, type Choice, meantBy } from './choice.ts'

interface PickProps {
  readonly label: string
  readonly of: readonly Choice[]
  readonly value: string
  readonly onChange: (value: string) => void
  /** What may be typed in place of what is listed. */
  readonly other: string
}

/** One of those listed, or another one typed in: a list of people is never whole. */
export function Pick({ label, of, value, onChange, other }: PickProps) {
  const field = useId()
  const [typed, setTyped] = useState<string>()
  const meant = meantBy(value, of)
  const isOther = typed !== undefined || !of.some((each) => each.value === meant)
  return (
    <>
      {of.length > 0 && (
        <label htmlFor={`${field}-list`}>
          <span>{label}</span>
          <select
            id={`${field}-list`}
            value={isOther ? another : meant}
            onChange={({ target }) => {
              setTyped(target.value === another ? '' : undefined)
              onChange(target.value)
            }}
          >
            {of.map((each) => (
              <option key={each.value} value={each.value}>
                {each.name}
              </option>
            ))}
            <option value={another}>{words.states.another}</option>
          </select>
        </label>
      )}
      {isOther && (
        <label htmlFor={`${field}-typed`}>
          <span>{other}</span>
          <input
            id={`${field}-typed`}
            value={typed ?? meant}
            maxLength={300}
            onChange={({ target }) => {
              setTyped(target.value)
              onChange(target.value.trim() || another)
            }}
          />
        </label>
      )}
    </>
  )
}
