/** What can be pressed on the page that is shown, in its own words. */
export interface PageAct {
  readonly name: string
  readonly press: () => void
}

/** The acts of the page and its parts; those of single rows are found at their rows, and a form is filled in before it is sent. */
const acts = 'main :is(.head, .acts, .copies) :is(button:not(:disabled), a[href])'
const within = ['table', '.rows', 'form', 'li', 'dialog', '.filters'].join()

/**
 * Read when somebody looks for something to do, so that no page has to tell twice what it offers. A press is that of the
 * button: what asks again before it is done asks here as well.
 */
export function pageActs(): PageAct[] {
  const found = new Map<string, PageAct>()
  for (const element of document.querySelectorAll<HTMLElement>(acts)) {
    const name = (element.getAttribute('aria-label') ?? element.textContent ?? '').trim()
    if (name === '' || found.has(name) || element.closest(within)) continue
    found.set(name, {
      name,
      press() {
        element.focus()
        element.click()
      },
    })
  }
  return [...found.values()]
}
