import { type ReactNode, useEffect } from 'react'
import { useSessions } from '../app/session.tsx'
import { t } from '../language/t.ts'
import { Contained } from './contained.tsx'

interface PageHeadProps {
  readonly title: string
  /** Of the window, where there is room for less. */
  readonly brief?: string
  readonly children?: ReactNode
}

/** The head of a page: its title, also of the window with platform and environment, and its acts. */
export function PageHead({ title, brief = title, children }: PageHeadProps) {
  const { session } = useSessions()
  useEffect(() => {
    document.title = session
      ? `${brief} · ${session.platform} ${session.environment}`
      : t('{title} · operator', { title: brief })
  }, [brief, session])
  return (
    <div className="head">
      <h1>{title}</h1>
      <div className="acts">{children}</div>
    </div>
  )
}

/** A part of a page with its heading. */
export function Part({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section className="part">
      <h2>{title}</h2>
      <Contained>{children}</Contained>
    </section>
  )
}
