import { useState } from 'react'
import { words } from '../words.ts'

/** Copies by a key, where no button can say that it was done. */
export function useCopied(): { readonly told: string; readonly copy: (text: string) => void } {
  const [told, setTold] = useState('')
  const copy = (text: string) => {
    const copying = navigator.clipboard?.writeText(text) ?? Promise.reject()
    copying.then(
      () => setTold(words.copied.done(text)),
      () => setTold(words.copied.refused),
    )
  }
  return { told, copy }
}
