import { useSyncExternalStore } from 'react'

/** The width of the style sheet below which a page is as a phone shows it. */
const phone = matchMedia('(max-width: 767px)')

function watch(onChange: () => void): () => void {
  phone.addEventListener('change', onChange)
  return () => phone.removeEventListener('change', onChange)
}

/** Whether there is as little room as on a phone, where the style sheet alone cannot help. */
export function useNarrow(): boolean {
  return useSyncExternalStore(watch, () => phone.matches)
}
