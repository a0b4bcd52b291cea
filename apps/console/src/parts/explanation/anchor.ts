import { useEffect, useRef } from 'react'
import { useKeys } from '../../app/keys.ts'

/** In the address: begin at the explanation. */
export const explanationId = 'explanation'

/** Where the explanation begins: `e` goes there, and so does an address that ends in it. */
export function useExplanationAnchor() {
  const anchor = useRef<HTMLDivElement>(null)
  const show = () => {
    anchor.current?.scrollIntoView()
    anchor.current?.focus({ preventScroll: true })
  }
  useKeys({ e: show })
  useEffect(() => {
    if (location.hash === `#${explanationId}`) {
      anchor.current?.scrollIntoView()
      anchor.current?.focus({ preventScroll: true })
    }
  }, [])
  return anchor
}
