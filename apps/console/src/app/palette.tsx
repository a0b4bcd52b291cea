import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { Trouble } from '../parts/states.tsx'
import { words } from '../words.ts'
import type { Command } from './commands.tsx'
import { isBound } from './keys.ts'
import { pageActs } from './page-acts.ts'
import { type Entry, groupsOf, type Option } from './palette-groups.tsx'
import { placeOf, usePlaces } from './places.tsx'
import type { Session } from './session.tsx'
import { useDocs } from './use-docs.ts'
import { useSearch } from './use-search.ts'

/**
 * Pages by their name, what can be done on this one and from anywhere, the documentation, and whatever the API finds by what is
 * typed. A combobox: the field keeps the focus, the arrows choose and Enter opens.
 */
export function Palette({
  entries,
  session,
  sandbox,
  frame,
  onClose,
}: {
  readonly entries: readonly Entry[]
  /** Things are within a platform; undefined where pages alone are found. */
  readonly session: Session | undefined
  /** What moves the sandbox; nothing elsewhere. */
  readonly sandbox: readonly Command[]
  /** What the frame around the pages offers. */
  readonly frame: readonly Command[]
  readonly onClose: () => void
}) {
  const dialog = useRef<HTMLDialogElement>(null)
  const [text, setText] = useState('')
  const [chosen, setChosen] = useState(0)
  const [isEntered, setEntered] = useState(false)
  const { go } = usePlaces()
  // As it was when somebody looked for what to do there.
  const [acts] = useState(pageActs)
  useEffect(() => dialog.current?.showModal(), [])

  const asked = text.trim()
  const { matches, isAsking, error } = useSearch(session, asked)
  const groups = groupsOf({
    asked,
    entries,
    byId: session ? placeOf(asked) : undefined,
    matches,
    acts,
    sandbox,
    frame,
    docs: useDocs(asked),
  })
  const options = groups.flatMap((group) => group.options)
  const at = Math.min(chosen, options.length - 1)
  const open = (option: Option | undefined) => {
    if (!option) return
    onClose()
    const { what } = option
    if (what.kind === 'PLACE') go(what.to)
    else if (what.kind === 'DOCS') window.open(what.to, '_blank', 'noopener')
    // Once the dialog is gone, which keeps the focus of the page from it.
    else setTimeout(what.run)
  }
  // Who pastes and presses Enter at once means what is found a moment later.
  const first = options[0]
  useEffect(() => {
    if (isEntered && !isAsking) open(first)
  }, [isEntered, isAsking, first?.key])
  useEffect(() => {
    if (at >= 0) document.getElementById(optionId(at))?.scrollIntoView({ block: 'nearest' })
  }, [at])

  const press = (event: KeyboardEvent) => {
    // Enter and arrows choose among the letters of some writings.
    if (event.nativeEvent.isComposing) return
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (step !== 0 && options.length > 0) {
      event.preventDefault()
      setChosen((at + step + options.length) % options.length)
    }
    if (event.key === 'Enter') {
      event.preventDefault()
      if (options.length === 0) setEntered(isAsking)
      else open(options[at])
    }
  }
  const type = (typed: string) => {
    setText(typed)
    setChosen(0)
    setEntered(false)
  }
  let position = 0
  return (
    <dialog ref={dialog} className="palette" aria-label={words.palette.title} onClose={onClose}>
      <label htmlFor="palette">{session ? words.palette.label : words.palette.pageLabel}</label>
      <input
        id="palette"
        role="combobox"
        aria-expanded={options.length > 0}
        aria-controls="palette-options"
        aria-autocomplete="list"
        aria-activedescendant={options.length > 0 ? optionId(at) : undefined}
        value={text}
        maxLength={200}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => type(event.target.value)}
        onKeyDown={press}
      />
      <div id="palette-options" role="listbox" aria-label={words.palette.found} tabIndex={-1}>
        {groups.map((group, index) => (
          // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot stand in a listbox
          <div key={group.name} role="group" aria-labelledby={`palette-group-${index}`}>
            <h2 id={`palette-group-${index}`} role="presentation">
              {group.name}
            </h2>
            {group.options.map((option) => {
              const place = position++
              return (
                // biome-ignore lint/a11y/useFocusableInteractive: the field keeps the focus and names the option
                // biome-ignore lint/a11y/useKeyWithClickEvents: the field takes the keys
                <div
                  key={option.key}
                  id={optionId(place)}
                  role="option"
                  aria-selected={place === at}
                  onClick={() => open(option)}
                  onPointerMove={() => setChosen(place)}
                >
                  <strong>{option.name}</strong>
                  {option.said}
                </div>
              )
            })}
          </div>
        ))}
      </div>
      <p role="status" className={options.length > 0 && !isAsking ? 'hidden' : 'muted'}>
        {isAsking
          ? words.palette.asking
          : options.length > 0
            ? words.palette.count(options.length)
            : error === undefined && (session ? words.palette.nothing : words.palette.noPage)}
      </p>
      {error !== undefined && <Trouble error={error} />}
      <p className="muted key-hints">{words.palette.keys(isBound('e'))}</p>
    </dialog>
  )
}

const optionId = (position: number) => `palette-option-${position}`
