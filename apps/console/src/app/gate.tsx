import { useRouter, useRouterState } from '@tanstack/react-router'
import { type ReactNode, useEffect } from 'react'
import { SignInPage } from '../pages/sign-in/sign-in-page.tsx'
import { Loading, Trouble } from '../parts/states.tsx'
import { usePlaces } from './places.tsx'
import { useSessions } from './session.tsx'
import { Shell } from './shell.tsx'
import { useTheme } from './theme.ts'

/**
 * Pages for who is signed in, the form for everybody else. The address stays, so that a link still leads where it
 * pointed; one to another platform or environment leads to the first page of one's own.
 */
export function Gate() {
  const { state, session, look } = useSessions()
  const router = useRouter()
  const { href } = usePlaces()
  const path = useRouterState({ select: (state) => state.location.pathname })
  const isOwn = session !== undefined && isBelow(`${path}/`, `/${session.platform}/${session.environment}/`)
  useEffect(() => {
    if (session && !isOwn) router.history.replace(href(''))
  }, [session, isOwn, router, href])
  if (state.kind === 'OUT') return <SignInPage why={state.why} />
  if (state.kind === 'IN') return isOwn ? <Shell session={state.session} /> : null
  return (
    <Plain>
      {state.kind === 'ASKING' ? <Loading /> : <Trouble error={state.error} onRetry={() => void look()} />}
    </Plain>
  )
}

/** What is shown to nobody in particular, in their colours all the same. */
function Plain({ children }: { readonly children: ReactNode }) {
  useTheme()
  return <main className="sign-in">{children}</main>
}

/** The router may or may not count the part that all addresses share. */
function isBelow(path: string, base: string): boolean {
  return path.startsWith(base) || path.startsWith(`/console${base}`)
}
