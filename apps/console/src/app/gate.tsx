import { useRouter, useRouterState } from '@tanstack/react-router'
import { useEffect } from 'react'
import { SignInPage } from '../pages/sign-in/sign-in-page.tsx'
import { usePlaces } from './places.tsx'
import { useSessions } from './session.tsx'
import { Shell } from './shell.tsx'

/**
 * Pages for who is signed in, the form for everybody else. The address stays, so that a link still leads where it
 * pointed; one to another platform or environment leads to the first page of one's own.
 */
export function Gate() {
  const { session } = useSessions()
  const router = useRouter()
  const { href } = usePlaces()
  const path = useRouterState({ select: (state) => state.location.pathname })
  const isOwn = session !== undefined && isBelow(`${path}/`, `/${session.platform}/${session.environment}/`)
  useEffect(() => {
    if (session && !isOwn) router.history.replace(href(''))
  }, [session, isOwn, router, href])
  if (!session) return <SignInPage />
  return isOwn ? <Shell session={session} /> : null
}

/** The router may or may not count the part that all addresses share. */
function isBelow(path: string, base: string): boolean {
  return path.startsWith(base) || path.startsWith(`/console${base}`)
}
