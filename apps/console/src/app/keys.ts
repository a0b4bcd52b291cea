import { useEffect, useRef } from 'react'
import { preferenceOf } from './preferences.ts'

export type Bindings = Readonly<Record<string, () => void>>

const listening = new Set<{ readonly current: Bindings }>()

/** Whether a key does something on what is shown now. */
export const isBound = (key: string) => [...listening].some(({ current }) => key in current)

/**
 * Keys of a page: `j`, `mod+k` with Ctrl or ⌘, `g p` one after the other. Silent in fields and over a dialog, so that nobody
 * who types leaves the page; without Ctrl or ⌘ they can be switched off.
 */
export function useKeys(bindings: Bindings): void {
  const latest = useRef(bindings)
  latest.current = bindings
  useEffect(() => {
    let before = ''
    const press = (event: KeyboardEvent) => {
      const target = event.target as HTMLElement
      const isField = /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName) || target.isContentEditable
      const isMod = event.ctrlKey || event.metaKey
      // Who speaks to their computer would press them by chance (WCAG 2.1.4).
      if (!isMod && preferenceOf('keys') === 'off') return
      if (event.altKey || document.querySelector('dialog[open]') || (isField && !isMod)) return
      const key = event.key.length === 1 ? event.key.toLowerCase() : event.key
      const name = isMod ? `mod+${key}` : key
      const act = latest.current[`${before} ${name}`] ?? latest.current[name]
      before = name
      if (!act) return
      event.preventDefault()
      act()
    }
    document.addEventListener('keydown', press)
    listening.add(latest)
    return () => {
      document.removeEventListener('keydown', press)
      listening.delete(latest)
    }
  }, [])
}
