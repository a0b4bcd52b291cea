import type { Corridor } from '@corridor/sdk/index.ts'
import { useQueryClient } from '@tanstack/react-query'
import { createContext, type ReactNode, useCallback, useContext, useEffect, useMemo, useState } from 'react'
import {
  apiAddressOf,
  closeSession,
  corridorOf,
  isOver,
  type Missing,
  openOperatorSession,
  openSession,
  operatorCorridorOf,
  platformOfRefusedLink,
  type Refusal,
  readSession,
  type SignedIn,
  segmentOf,
  startSession,
  streamOf,
} from './console-api.ts'
import { addressNameOf } from './platform-name.ts'
import { startAgain, startOnce } from './start-link.ts'

export type Environment = 'sandbox' | 'production'

/** Who is signed in, and to what. What proves it is a cookie that no script can read, so a reload changes nothing. */
export interface Session {
  readonly corridor: Corridor
  /** As it stands in addresses. */
  readonly platform: string
  readonly platformId: string
  readonly environment: Environment
  /** The fork that is looked into; absent: the main world. */
  readonly world?: string | undefined
  /** Whether the server makes copies of the sandbox. */
  readonly hasWorlds: boolean
  /** Permissions of the token that signed in; undefined for an operator. */
  readonly permissions?: readonly string[] | undefined
  /** Where programs ask the same. */
  readonly apiAddress: string
  /** What happens there. */
  readonly openStream: ReturnType<typeof streamOf>
}

/** An operator, who has pages of their own and may look into every platform. */
export interface OperatorSession {
  readonly corridor: Corridor
  readonly id: string
  readonly role: string
  readonly hasWorlds: boolean
}

/** A platform in one environment, and in one world, as it stands in an address. */
export type Looked = Pick<Session, 'platform' | 'environment' | 'world'>

export type SessionState =
  /** The server has not said yet who is signed in. */
  | { readonly kind: 'ASKING' }
  | { readonly kind: 'UNKNOWN'; readonly error: unknown }
  /** A link was opened while somebody is signed in to something else. */
  | { readonly kind: 'LINK'; readonly platformName: string }
  /** With the reason where somebody had signed in. */
  | {
      readonly kind: 'OUT'
      readonly why?: Exclude<Refusal, 'SIGN_IN_AGAIN' | Missing> | 'LINK_OVER'
      /** What was looked at. */
      readonly of?: string | undefined
    }
  /** Looking goes on where a change needs another sign-in. */
  | {
      readonly kind: 'IN'
      /** Of a platform: its own, or the one that an operator looks into. */
      readonly session?: Session | undefined
      readonly operator?: OperatorSession
      readonly mustSignInAgain: boolean
      /** Of what the session looks at, in a fork. */
      readonly missing?: Missing | undefined
    }

interface Sessions {
  readonly state: SessionState
  readonly session: Session | undefined
  /** Asks the server who is signed in. */
  look(): Promise<void>
  /** Fails with the error of the API where the credential is not good. */
  signIn(clientId: string, clientSecret: string): Promise<void>
  signInAsOperator(key: string): Promise<void>
  /** Of an operator: into a platform, or back to the pages of operators. Of a platform: into another world. */
  lookInto(platform: Looked | undefined): void
  /** Fails where the server has not ended the session. */
  signOut(): Promise<void>
  /** Ends the session that is, and signs in by the link that was opened. */
  followLink(): void
  /** Somebody who should sign in again does not want to now. */
  putOff(): void
}

const SessionContext = createContext<Sessions | undefined>(undefined)

export function SessionProvider({ children }: { children: ReactNode }) {
  const [state, setState] = useState<SessionState>({ kind: 'ASKING' })
  const queries = useQueryClient()
  const session = state.kind === 'IN' ? state.session : undefined

  const enter = useCallback(async (signedIn: SignedIn | undefined): Promise<SessionState> => {
    const refuse = (corridor: Corridor, refusal: Refusal) => setState(after(corridor, refusal))
    if (signedIn?.role !== undefined)
      return { kind: 'IN', operator: operatorOf(signedIn, refuse), mustSignInAgain: false }
    const session = signedIn && sessionOf(signedIn, refuse)
    return session ? { kind: 'IN', session, mustSignInAgain: false } : { kind: 'OUT' }
  }, [])
  const look = useCallback(async () => {
    setState({ kind: 'ASKING' })
    setState(
      await readSession()
        .then(enter)
        .catch(
          (error: unknown): SessionState => (isOver(error) ? { kind: 'OUT' } : { kind: 'UNKNOWN', error }),
        ),
    )
  }, [enter])

  const enterBy = useCallback(
    async (starting: Promise<SignedIn>) => {
      const state = await starting.then(enter).catch((error: unknown): SessionState => {
        const platformName = platformOfRefusedLink(error)
        if (platformName !== undefined) return { kind: 'LINK', platformName }
        return isOver(error) ? { kind: 'OUT', why: 'LINK_OVER' } : { kind: 'UNKNOWN', error }
      })
      setState(state)
    },
    [enter],
  )

  useEffect(() => {
    const starting = startOnce(startSession)
    void (starting ? enterBy(starting) : look())
  }, [look, enterBy])
  // Whoever has signed in meanwhile in another tab is in here as well. Nothing that was typed here is lost where nobody has.
  // Whom a platform was shown, or a link to one, comes to another by a choice of their own, for which they are asked.
  const isWaiting = state.kind === 'OUT' && (state.why === undefined || state.why === 'OVER')
  const before = state.kind === 'OUT' ? state.of : undefined
  useEffect(() => {
    if (!isWaiting) return
    const lookAgain = () =>
      void readSession().then(
        async (signedIn) => {
          const next = signedIn && (await enter(signedIn))
          if (next && isBackAt(before, next)) setState(next)
        },
        () => {},
      )
    addEventListener('focus', lookAgain)
    return () => removeEventListener('focus', lookAgain)
  }, [isWaiting, before, enter])
  // What somebody has seen stays with nobody after them.
  const whose =
    state.kind === 'IN' && state.operator
      ? state.operator.id
      : session && `${session.platform} ${session.environment}`
  useEffect(() => {
    if (whose !== undefined) return () => queries.clear()
  }, [whose, queries])

  const sessions = useMemo<Sessions>(
    () => ({
      state,
      session,
      look,
      async signIn(clientId, clientSecret) {
        setState(await enter(await openSession(clientId, clientSecret)))
      },
      async signInAsOperator(key) {
        setState(await enter(await openOperatorSession(key)))
      },
      lookInto(platform) {
        // What was seen of one platform or world is not shown as another's.
        queries.clear()
        setState((now) => {
          if (now.kind !== 'IN') return now
          const refuse = (corridor: Corridor, refusal: Refusal) => setState(after(corridor, refusal))
          if (now.operator) {
            const session = platform && sessionAt(platform.platform, { ...now.operator, ...platform }, refuse)
            return { ...now, session, missing: undefined }
          }
          const { session: own } = now
          const session = own && sessionAt(own.platformId, { ...own, world: platform?.world }, refuse)
          return { ...now, session, missing: undefined }
        })
      },
      async signOut() {
        await closeSession()
        setState({ kind: 'OUT' })
      },
      followLink() {
        setState({ kind: 'ASKING' })
        const starting = startAgain((token) => startSession(token, { replaces: true }))
        if (starting) void enterBy(starting)
      },
      putOff() {
        setState((now) => (now.kind === 'IN' ? { ...now, mustSignInAgain: false } : now))
      },
    }),
    [state, session, look, enter, enterBy, queries],
  )
  return <SessionContext.Provider value={sessions}>{children}</SessionContext.Provider>
}

export function useSessions(): Sessions {
  return useContext(SessionContext)!
}

/** Within the pages, which are shown to nobody else. */
export function useSession(): Session {
  const { session } = useSessions()
  if (!session) throw new Error('This page is shown to somebody who is not signed in')
  return session
}

/** A refusal of somebody who was signed in before says nothing of who is now. */
function after(corridor: Corridor, refusal: Refusal): (now: SessionState) => SessionState {
  return (now) => {
    if (now.kind !== 'IN') return now
    if (now.session?.corridor !== corridor && now.operator?.corridor !== corridor) return now
    if (refusal === 'SIGN_IN_AGAIN') return { ...now, mustSignInAgain: true }
    if (refusal === 'NO_WORLD' || refusal === 'NO_PLATFORM') return { ...now, missing: refusal }
    return { kind: 'OUT', why: refusal, of: now.session && placeNameOf(now.session) }
  }
}

/** Whether it shows what was looked at before (as `placeNameOf` says it), in whichever world that was. Operators look into any. */
function isBackAt(before: string | undefined, next: SessionState): boolean {
  if (next.kind !== 'IN') return false
  if (before === undefined || next.operator) return true
  const now = next.session && placeNameOf(next.session)
  return now !== undefined && (before === now || before.startsWith(`${now}@`))
}

/** Of a platform in one environment, as sentences name it: `acme sandbox`, or `acme sandbox@test-7`. */
export function placeNameOf(looked: Looked): string {
  return `${looked.platform} ${segmentOf(looked)}`
}

/** What whoever is signed in now sees; undefined where that is an operator, nobody, or not known. */
export async function placeNameNow(): Promise<string | undefined> {
  const signedIn = await readSession()
  const session = signedIn && sessionOf(signedIn, () => {})
  return session && placeNameOf(session)
}

const environments = { SANDBOX: 'sandbox', PRODUCTION: 'production' } as const

function operatorOf(
  { subject, role, hasWorlds }: SignedIn,
  onRefusal: (corridor: Corridor, refusal: Refusal) => void,
): OperatorSession {
  const corridor: Corridor = operatorCorridorOf((refusal) => onRefusal(corridor, refusal))
  return { corridor, id: subject, role: role!, hasWorlds }
}

function sessionAt(
  platformId: string,
  {
    platform,
    environment,
    world,
    hasWorlds,
    permissions,
  }: Looked & Pick<Session, 'hasWorlds' | 'permissions'>,
  onRefusal: (corridor: Corridor, refusal: Refusal) => void,
): Session {
  const where = { platform: platformId, environment, world }
  const corridor: Corridor = corridorOf(where, (refusal) => onRefusal(corridor, refusal))
  const apiAddress = apiAddressOf(world)
  return {
    corridor,
    platform,
    platformId,
    environment,
    world,
    hasWorlds,
    permissions,
    apiAddress,
    openStream: streamOf(where),
  }
}

function sessionOf(
  { platformId, platformName, environment: signedInTo, hasWorlds, permissions }: SignedIn,
  onRefusal: (corridor: Corridor, refusal: Refusal) => void,
): Session | undefined {
  if (platformId === undefined || signedInTo === undefined) return undefined
  const looked = { platform: platformId, environment: environments[signedInTo], hasWorlds, permissions }
  const platform = (platformName !== undefined && addressNameOf(platformName)) || platformId
  return { ...sessionAt(platformId, looked, onRefusal), platform }
}
