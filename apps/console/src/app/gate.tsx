import { useRouter, useRouterState } from '@tanstack/react-router'
import { type ReactNode, useEffect } from 'react'
import { SignInPage } from '../pages/sign-in/sign-in-page.tsx'
import { Act } from '../parts/act.tsx'
import { Loading, Trouble } from '../parts/states.tsx'
import { words } from '../words.ts'
import { placeOf, usePlaces } from './places.tsx'
import { type Looked, placeNameOf, type Session, useSessions } from './session.tsx'
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
  const { bare } = usePlaces()
  const path = usePath()
  const isOwn = session !== undefined && `${path}/`.startsWith(`/${session.platform}/${session.environment}/`)
  const asked = isOwn ? undefined : placeNamed(path)
  // Nobody who asked for the one comes to the other unawares.
  const isOther = asked !== undefined && asked.environment !== session?.environment
  useEffect(() => {
    if (session && !isOwn && !isOther) router.history.replace(bare(placeAsked(path)))
  }, [session, isOwn, isOther, path, router, bare])
  if (isOther && session) return <OtherEnvironment asked={asked} session={session} />
  return isOwn ? <PlatformShell session={session} /> : null
}

/** Of any platform, by its name or its id. */
function placeNamed(path: string): Looked | undefined {
  const [, platform, environment] = /^\/([^/]{1,200})\/(sandbox|production)(?:\/|$)/.exec(path) ?? []
  return platform
    ? { platform: decoded(platform), environment: environment as Looked['environment'] }
    : undefined
}

/** A credential of production at an address of the sandbox, or the other way round: nothing is shown before somebody chooses. */
function OtherEnvironment({ asked, session }: { readonly asked: Looked; readonly session: Session }) {
  const { signOut } = useSessions()
  const { href } = usePlaces()
  const names = { asked: placeNameOf(asked), own: placeNameOf(session) }
  const title = words.gate.title
  useEffect(() => {
    document.title = `${title} · Corridor`
  }, [title])
  return (
    <Plain>
      <h1>{title}</h1>
      <p role="alert">{words.gate.refused(names)}</p>
      <a className="main" href={href('')}>
        {words.gate.own(names.own)}
      </a>
      <Act run={signOut}>{words.gate.another(names.asked)}</Act>
    </Plain>
  )
}

/** `/console/go/{id}` leads to the page of any id, so that a log can link to it; everything else to the first page. */
function placeAsked(path: string): string {
  const [, given] = /^\/go\/([^/]{1,200})$/.exec(path) ?? []
  if (given === undefined) return ''
  const id = decoded(given)
  if (id.startsWith('Token:')) return 'settings'
  // What names no kind is a request.
  return placeOf(id) ?? (id.includes(':') ? '' : `requests/${encodeURIComponent(id)}`)
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
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
