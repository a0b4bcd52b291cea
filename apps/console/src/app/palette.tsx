import { type FormEvent, useEffect, useRef, useState } from 'react'
import { words } from '../words.ts'
import { placeOf, usePlaces } from './places.tsx'

interface Entry {
  readonly to: string
  readonly name: string
}

/** Pages by their name, and anything by its id. */
export function Palette({
  entries,
  hasIds,
  onClose,
}: {
  readonly entries: readonly Entry[]
  /** Whether an id leads to a page: those of things are within a platform. */
  readonly hasIds: boolean
  readonly onClose: () => void
}) {
  const dialog = useRef<HTMLDialogElement>(null)
  const [text, setText] = useState('')
  const { go } = usePlaces()
  useEffect(() => dialog.current?.showModal(), [])

  const asked = text.trim()
  const byId = hasIds ? placeOf(asked) : undefined
  const found = byId
    ? [{ to: byId, name: words.palette.open(asked) }]
    : entries.filter(({ name }) => name.toLowerCase().includes(asked.toLowerCase()))
  const open = (entry: Entry | undefined) => {
    if (!entry) return
    onClose()
    go(entry.to)
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    open(found[0])
  }
  return (
    <dialog ref={dialog} className="palette" aria-label={words.palette.title} onClose={onClose}>
      <form onSubmit={submit}>
        <label htmlFor="palette">{words.palette.label}</label>
        <input
          id="palette"
          value={text}
          maxLength={200}
          autoComplete="off"
          onChange={(event) => setText(event.target.value)}
        />
      </form>
      <ul>
        {found.map((entry) => (
          <li key={entry.to}>
            <button type="button" onClick={() => open(entry)}>
              {entry.name}
            </button>
          </li>
        ))}
      </ul>
      {found.length === 0 && <p role="status">{words.palette.nothing}</p>}
      <p className="muted">{words.palette.keys}</p>
    </dialog>
  )
}
