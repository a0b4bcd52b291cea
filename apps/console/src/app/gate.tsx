import { useQuery } from '@tanstack/react-query'
import { useRouter, useRouterState } from '@tanstack/react-router'
import { type ReactNode, useEffect } from 'react'
import { t } from '../language/t.ts'
import { type Platform, useOperator } from '../pages/operator/operator-api.ts'
import { SignInPage } from '../pages/sign-in/sign-in-page.tsx'
import { Act } from '../parts/act.tsx'
import { Loading, Trouble } from '../parts/states.tsx'
import { words } from '../words.ts'
import { MissingWorld } from './missing-world.tsx'
import { Go, PlacesProvider, placeOf, usePlaces } from './places.tsx'
import { addressNameOf } from './platform-name.ts'
import { type Looked, placeNameOf, type Session, useSessions } from './session.tsx'
import { OperatorShell, PlatformShell } from './shell.tsx'
import { useTheme } from './theme.ts'

/**
 * Shows the pages to signed-in visitors and the sign-in form to all others. The address stays, so a link still works after the
 * sign-in. An address that the visitor may not see leads to their own first page.
 */
export function Gate() {
  return (
    <PlacesProvider>
      <Inside />
    </PlacesProvider>
  )
}

function Inside() {
  const { state, look, followLink } = useSessions()
  if (state.kind === 'LINK') {
    const { platformName: name } = state
    return (
      <Plain>
        <h1>{t('Sign in with a link')}</h1>
        <p>
          {t(
            'This link signs you in to the sandbox of “{name}”. You are signed in to something else, and that session ends.',
            { name },
          )}
        </p>
        <p>
          <button type="button" onClick={followLink}>
            {t('Sign in to “{name}”', { name })}
          </button>{' '}
          <button type="button" onClick={() => void look()}>
            {t('Keep the current session')}
          </button>
        </p>
      </Plain>
    )
  }
  if (state.kind === 'OUT') return <SignInPage why={state.why} of={state.of} />
  if (state.kind === 'IN') return state.operator ? <OfOperator /> : <OfPlatform />
  return (
    <Plain>
      {state.kind === 'ASKING' ? <Loading /> : <Trouble error={state.error} onRetry={() => void look()} />}
    </Plain>
  )
}

function OfPlatform() {
  const { session, state, lookInto } = useSessions()
  const router = useRouter()
  const { bare } = usePlaces()
  const path = usePath()
  const asked = placeNamed(path)
  // The previous page stays visible, with its own address, until the code of the next one is loaded.
  const shownPath = useShownPath()
  const shown = placeNamed(shownPath) ?? asked
  const isOwn =
    session !== undefined && asked?.platform === session.platform && asked.environment === session.environment
  // A visitor never lands in the other environment without choosing it.
  const isOther = asked !== undefined && !isOwn && asked.environment !== session?.environment
  const wrong = isOwn ? wrongWorld(asked) : undefined
  const to = isOwn ? placeWithin(path) : placeAsked(path)
  const world = shown?.world
  const isThere = session?.world === world
  useEffect(() => {
    if (!session || isOther || wrong) return
    if (!isOwn) router.history.replace(bare(to ?? ''))
    else if (!isThere) lookInto({ platform: session.platform, environment: session.environment, world })
    else if (to !== undefined) router.history.replace(bare(to))
  }, [session, isOwn, isOther, wrong, isThere, world, to, router, bare, lookInto])
  if (isOther && session) return <OtherEnvironment asked={asked} session={session} />
  // Otherwise a page of operators would stay visible to a visitor who is not one.
  if (!isOwn || `${shownPath}/`.startsWith('/operator/')) return null
  if (wrong) return <Missed asked={asked} why={wrong} />
  if (!isThere || to !== undefined) return null
  if (state.kind === 'IN' && state.missing) return <Missed asked={session} why={state.missing} />
  return <PlatformShell session={session} />
}

const Missed = (props: Parameters<typeof MissingWorld>[0]) => (
  <Plain>
    <MissingWorld {...props} />
  </Plain>
)

/** Reason why this fork cannot exist, whatever the server says. */
function wrongWorld({ environment, world }: Looked): 'NOT_COPIED' | 'NO_WORLD' | undefined {
  if (world === undefined) return undefined
  if (environment === 'production') return 'NOT_COPIED'
  return /^[a-z0-9-]{1,40}$/.test(world) ? undefined : 'NO_WORLD'
}

/** Platform, environment and fork in an address. The platform is given by its name or id. */
function placeNamed(path: string): Looked | undefined {
  const [, platform, environment, world] =
    /^\/([^/]{1,200})\/(sandbox|production)(?:(?:@|%40)([^/]{0,200}))?(?:\/|$)/.exec(path) ?? []
  if (!platform) return undefined
  // The address of the main sandbox contains no name.
  const named = world === undefined || world === 'main' ? {} : { world: decoded(world) }
  return { platform: decoded(platform), environment: environment as Looked['environment'], ...named }
}

/** The credential and the address belong to different environments. The visitor has to choose one before anything is shown. */
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
      <Act changesNothing run={signOut}>
        {words.gate.another(names.asked)}
      </Act>
    </Plain>
  )
}

/** `/console/go/{id}` opens the page of any id, so that logs can link to it. Other addresses open the first page. */
function placeAsked(path: string): string {
  const [, given] = /^\/go\/([^/]{1,200})$/.exec(path) ?? []
  return given === undefined ? '' : placeOfId(decoded(given))
}

/** The same below the address of a platform, which names the environment and the fork. Undefined for an ordinary page. */
function placeWithin(path: string): string | undefined {
  const [, given] = /^\/[^/]+\/[^/]+\/go\/([^/]{1,200})$/.exec(path) ?? []
  return given === undefined ? undefined : placeOfId(decoded(given))
}

function placeOfId(id: string): string {
  if (id.startsWith('Token:')) return 'settings'
  // An id without a kind is a request id.
  return placeOf(id) ?? (id.includes(':') ? '' : `requests/${encodeURIComponent(id)}`)
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Pages of the operator, or of the platform in the address. */
function OfOperator() {
  const { session, state, lookInto } = useSessions()
  const router = useRouter()
  const { bare } = usePlaces()
  const at = usePath()
  const shown = useShownPath()
  const called = placeCalled(at)
  const to = platformOf(at) && placeWithin(at)
  // An address that redirects is not the address of a page.
  const path = to === undefined ? shown : at
  const named = platformOf(path)
  const { platform, environment, world } = named ?? {}
  const isThere =
    session?.platform === platform && session?.environment === environment && session?.world === world
  const wrong = named && wrongWorld(named)
  // The previous page belongs to another platform, so it is not shown while this one loads.
  const isCalled = called !== undefined || placeCalled(path) !== undefined
  const isKnown = named !== undefined || isCalled || `${path}/`.startsWith('/operator/')
  useEffect(() => {
    if (!isKnown) router.history.replace('/console/operator')
    else if (wrong || isCalled) return
    else if (!isThere) lookInto(platform && environment ? { platform, environment, world } : undefined)
    else if (to !== undefined) router.history.replace(bare(to))
  }, [isKnown, isThere, wrong, platform, environment, world, to, isCalled, router, bare, lookInto])
  if (isCalled) return called ? <ByName asked={called} path={at} /> : null
  if (named && wrong) return <Missed asked={named} why={wrong} />
  if (!isKnown || !isThere || to !== undefined) return null
  if (session && state.kind === 'IN' && state.missing) return <Missed asked={session} why={state.missing} />
  return session ? <PlatformShell session={session} /> : <OperatorShell />
}

/** Redirects an address with the name of a platform to the same page under its id. */
function ByName({ asked, path }: { readonly asked: Looked; readonly path: string }) {
  const { page } = useOperator()
  const router = useRouter()
  const platforms = useQuery({
    queryKey: ['operator', 'platforms'],
    queryFn: () => page<Platform>('platforms'),
  })
  const environment = asked.environment.toUpperCase()
  const found = platforms.data?.data.find(
    (each) => each.environment === environment && namesOf(each).includes(asked.platform.toLowerCase()),
  )
  useEffect(() => {
    if (!found) return
    const { search, hash } = location
    router.history.replace(`/console${path.replace(/^\/[^/]+/, `/${found.id}`)}${search}${hash}`)
  }, [found, path, router])
  useEffect(() => {
    if (platforms.data && !found) document.title = t('{title} · operator', { title: words.states.noPage })
  }, [platforms.data, found])
  return (
    <Plain>
      {platforms.isError ? (
        <Trouble error={platforms.error} onRetry={() => void platforms.refetch()} />
      ) : platforms.data && !found ? (
        <>
          <h1>{words.states.noPage}</h1>
          <p role="alert">
            {t('No platform is named {platform} in {environment}.', {
              platform: asked.platform,
              environment,
            })}
          </p>
          <Go className="main" to="/operator/platforms">
            {words.operator.platforms}
          </Go>
        </>
      ) : (
        <Loading />
      )}
    </Plain>
  )
}

/** Names of a platform in an address, in lower case. The UMA domain does not count, because the platform chooses it itself. */
function namesOf({ name }: Platform): readonly string[] {
  return [name.toLowerCase(), addressNameOf(name) ?? []].flat()
}

const platformForm = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

function platformOf(path: string): Looked | undefined {
  const named = placeNamed(path)
  return named && platformForm.test(named.platform) ? named : undefined
}

/** The same if the address gives the name of the platform. */
function placeCalled(path: string): Looked | undefined {
  const named = placeNamed(path)
  return named && !platformForm.test(named.platform) ? named : undefined
}

/** Frame for pages before the sign-in, in the visitor's colour scheme. */
function Plain({ children }: { readonly children: ReactNode }) {
  useTheme()
  return <main className="sign-in">{children}</main>
}

/** Path below `/console`. The router may or may not include the shared prefix. */
function usePath(): string {
  const path = useRouterState({ select: (state) => state.location.pathname })
  return path.replace(/^\/console(?=\/|$)/, '')
}

/** Path of the visible page, which stays until the next page is loaded. */
function useShownPath(): string {
  const path = useRouterState({ select: (state) => state.matches.at(-1)?.pathname ?? '' })
  return path.replace(/^\/console(?=\/|$)/, '')
}
