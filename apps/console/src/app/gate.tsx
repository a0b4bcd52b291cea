import { useRouter, useRouterState } from '@tanstack/react-router'
import { type ReactNode, useEffect } from 'react'
import { SignInPage } from '../pages/sign-in/sign-in-page.tsx'
import { Loading, Trouble } from '../parts/states.tsx'
import { usePlaces } from './places.tsx'
import { type Looked, useSessions } from './session.tsx'
import { OperatorShell, PlatformShell } from './shell.tsx'
import { useTheme } from './theme.ts'

/**
 * Pages for who is signed in, the form for everybody else. The address stays, so that a link still leads where it
 * pointed; one to where one may not be leads to the first page of one's own.
 */
export function Gate() {
  const { state, look } = useSessions()
  if (state.kind === 'OUT') return <SignInPage why={state.why} of={state.of} />
  if (state.kind === 'IN') return state.operator ? <OfOperator /> : <OfPlatform />
  return (
    <Plain>
      {state.kind === 'ASKING' ? <Loading /> : <Trouble error={state.error} onRetry={() => void look()} />}
    </Plain>
  )
}

function OfPlatform() {
  const { session } = useSessions()
  const router = useRouter()
  const { href } = usePlaces()
  const path = usePath()
  const isOwn = session !== undefined && `${path}/`.startsWith(`/${session.platform}/${session.environment}/`)
  useEffect(() => {
    if (session && !isOwn) router.history.replace(href(''))
  }, [session, isOwn, router, href])
  return isOwn ? <PlatformShell session={session} /> : null
}

/** The pages of operators, or those of the platform that the address names. */
function OfOperator() {
  const { session, lookInto } = useSessions()
  const router = useRouter()
  const path = useShownPath()
  const named = platformOf(path)
  const { platform, environment } = named ?? {}
  const isThere = session?.platform === platform && session?.environment === environment
  const isKnown = named !== undefined || `${path}/`.startsWith('/operator/')
  useEffect(() => {
    if (!isKnown) router.history.replace('/console/operator')
    else if (!isThere) lookInto(platform && environment ? { platform, environment } : undefined)
  }, [isKnown, isThere, platform, environment, router, lookInto])
  if (!isKnown || !isThere) return null
  return session ? <PlatformShell session={session} /> : <OperatorShell />
}

const platformForm = /^\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\/(sandbox|production)(?:\/|$)/

function platformOf(path: string): Looked | undefined {
  const [, platform, environment] = platformForm.exec(path) ?? []
  return platform ? { platform, environment: environment as Looked['environment'] } : undefined
}

/** What is shown to nobody in particular, in their colours all the same. */
function Plain({ children }: { readonly children: ReactNode }) {
  useTheme()
  return <main className="sign-in">{children}</main>
}

/** Behind `/console`; the router may or may not count the part that all addresses share. */
function usePath(): string {
  const path = useRouterState({ select: (state) => state.location.pathname })
  return path.replace(/^\/console(?=\/|$)/, '')
}

/** Of the page that is shown, which stays until the next one is read. */
function useShownPath(): string {
  const path = useRouterState({ select: (state) => state.matches.at(-1)?.pathname ?? '' })
  return path.replace(/^\/console(?=\/|$)/, '')
}
