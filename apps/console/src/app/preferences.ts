import { useCallback, useSyncExternalStore } from 'react'

/** How somebody likes to see and use the pages. It stays in the browser, and is the same for all that is looked at there. */
export interface Preferences {
  /** Height of the rows of lists; where nothing is chosen operators have low ones. */
  readonly rows: 'comfortable' | 'compact'
  /** A list as one window that scrolls, or a page at a time. */
  readonly lists: 'window' | 'pages'
  /** Whether a single letter acts. */
  readonly keys: 'on' | 'off'
}

const told = new Set<() => void>()

const placeOf = (name: keyof Preferences) => `corridor.${name}`

/** What was chosen; undefined: nothing. */
export function preferenceOf<N extends keyof Preferences>(name: N): Preferences[N] | undefined {
  return (localStorage.getItem(placeOf(name)) as Preferences[N] | null) ?? undefined
}

export function prefer<N extends keyof Preferences>(name: N, value: Preferences[N]): void {
  localStorage.setItem(placeOf(name), value)
  for (const tell of told) tell()
}

export function usePreference<N extends keyof Preferences>(name: N): Preferences[N] | undefined {
  return useSyncExternalStore(subscribe, () => preferenceOf(name))
}

function subscribe(tell: () => void): () => void {
  told.add(tell)
  // Another tab may have chosen.
  addEventListener('storage', tell)
  return () => {
    told.delete(tell)
    removeEventListener('storage', tell)
  }
}

/** Each is asked for at every drawing, and making one takes long. */
const medias = new Map<string, MediaQueryList>()

function mediaOf(query: string): MediaQueryList {
  let media = medias.get(query)
  if (!media) {
    media = matchMedia(query)
    medias.set(query, media)
  }
  return media
}

/** Whether a media query holds. */
export function useMedia(query: string): boolean {
  return useSyncExternalStore(
    useCallback(
      (tell) => {
        const media = mediaOf(query)
        media.addEventListener('change', tell)
        return () => media.removeEventListener('change', tell)
      },
      [query],
    ),
    () => mediaOf(query).matches,
  )
}
