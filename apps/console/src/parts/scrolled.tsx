import type { ReactNode } from 'react'

interface ScrolledProps {
  readonly label: string
  /** By which it is gone to. */
  readonly id?: string
  /** On a phone each row is a block of its own, and nothing stands beside the screen. */
  readonly isStacked?: boolean
  readonly children: ReactNode
}

/** A table that is wider than the screen scrolls within its own region. */
export function Scrolled({ label, id, isStacked, children }: ScrolledProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: who has no pointer scrolls it with the keys
    <section className={isStacked ? 'scroll stacked' : 'scroll'} id={id} aria-label={label} tabIndex={0}>
      {children}
    </section>
  )
}
