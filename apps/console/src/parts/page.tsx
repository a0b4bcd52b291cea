import { type ReactNode, useEffect, useRef } from 'react'
import { placeNameOf, useSessions } from '../app/session.tsx'
import { t } from '../language/t.ts'
import { Contained } from './contained.tsx'
import { usePane } from './pane.ts'

interface PageHeadProps {
  readonly title: string
  /** What is shown is called by code, as a request is by what was asked: it is the same in every language. */
  readonly isCode?: boolean
  /** Of the window, where there is room for less. */
  readonly brief?: string
  readonly children?: ReactNode
}

/** Whether the last thing pressed was a key. Browsers guess so where nothing was pressed at all, and draw a ring. */
let isByKeys = false
addEventListener('keydown', () => (isByKeys = true), true)
addEventListener('pointerdown', () => (isByKeys = false), true)

/** Whether no head was shown yet: where the document was loaded, browsers begin at its top by themselves. */
let isFirst = true

/**
 * The head of a page: its title, also of the window with platform and environment, and its acts. Whoever followed a link
 * that went with the page before goes on from the title, not from the top of the document.
 */
export function PageHead({ title, isCode, brief = title, children }: PageHeadProps) {
  const { session } = useSessions()
  const pane = usePane()
  const isBeside = pane !== undefined && !pane.isAlone
  useEffect(() => {
    // The window is named after the list.
    if (isBeside) return
    document.title = session
      ? `${brief} · ${placeNameOf(session)}`
      : t('{title} · operator', { title: brief })
  }, [brief, session, isBeside])
  const heading = useRef<HTMLHeadingElement>(null)
  const { pathname } = location
  const isPane = pane !== undefined
  useEffect(() => {
    if (isPane) return
    const isLoaded = isFirst
    isFirst = false
    // The head of the page before is told of the new address as well, and has its link with the focus still.
    if (isLoaded || !heading.current || document.activeElement !== document.body) return
    heading.current.toggleAttribute('data-keys', isByKeys)
    heading.current.focus({ preventScroll: true })
  }, [pathname, isPane])
  const Heading = isBeside ? 'h2' : 'h1'
  return (
    <div className="head">
      <Heading ref={heading} tabIndex={-1}>
        {isCode ? <code>{title}</code> : title}
      </Heading>
      <div className="acts">{children}</div>
    </div>
  )
}

/** A part of a page with its heading. */
export function Part({
  title,
  id,
  children,
}: {
  readonly title: string
  /** For links to it. */
  readonly id?: string
  readonly children: ReactNode
}) {
  const pane = usePane()
  const Heading = pane && !pane.isAlone ? 'h3' : 'h2'
  return (
    <section className="part" id={id}>
      <Heading>{title}</Heading>
      <Contained>{children}</Contained>
    </section>
  )
}
