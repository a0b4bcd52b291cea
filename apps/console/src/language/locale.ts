/**
 * Languages of the console. English stands in the source itself; each other one has a catalogue of ICU messages. `en-XA` is
 * made of the English one: what stays plain there was never given to a translator.
 */
export const locales = ['en', 'en-XA'] as const
export type Locale = (typeof locales)[number]

/** How amounts are grouped and where their point is, each with an example. */
export const waysOfAmounts = { en: '1,234.56', de: '1.234,56', fr: '1 234,56' } as const
type WayOfAmounts = keyof typeof waysOfAmounts

// Both are read once: whatever was written before would stay as it was, so a change loads the page anew.
export const locale: Locale = kept('language', locales)
export const amounts: WayOfAmounts = kept('amounts', Object.keys(waysOfAmounts) as WayOfAmounts[])

export const speak = (name: Locale) => keep('language', name)
export const amountsIn = (name: WayOfAmounts) => keep('amounts', name)

/** What this browser keeps; the first where it keeps nothing, and where there is no browser. */
function kept<T extends string>(name: string, known: readonly T[]): T {
  const value = typeof document === 'undefined' ? null : localStorage.getItem(`corridor.${name}`)
  return known.find((each) => each === value) ?? known[0]!
}

function keep(name: string, value: string): void {
  localStorage.setItem(`corridor.${name}`, value)
  location.reload()
}
