import { useEffect, useRef } from 'react'
import { useKeys } from '../../app/keys.ts'
import { t } from '../../language/t.ts'

/** In the address: begin at the explanation. */
export const explanationId = 'explanation'

/** Of the table of all that was posted. */
export const postingsId = 'postings'

/** Pages of payments, quotes, our accounts, webhooks and requests; the API explains nothing else, and no payment by card. */
export const isExplained = (place: string) =>
  /^(?:payments\/Transaction|quotes\/Quote|accounts\/InternalAccount|webhooks\/Webhook|requests\/)/.test(
    place,
  )

/** Where the explanation begins: `e` goes there, and so does an address that ends in it. */
export function useExplanationAnchor() {
  const anchor = useRef<HTMLDivElement>(null)
  useKeys({ e: () => show(anchor.current) })
  useEffect(() => {
    if (location.hash === `#${explanationId}`) show(anchor.current)
  }, [])
  return anchor
}

/** The same for who has no keys. */
export function ExplainButton() {
  return (
    <button type="button" aria-keyshortcuts="e" onClick={() => show(document.getElementById(explanationId))}>
      {t('Explain')}
    </button>
  )
}

function show(anchor: HTMLElement | null): void {
  anchor?.scrollIntoView()
  anchor?.focus({ preventScroll: true })
}
