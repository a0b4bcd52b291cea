import { Corridor } from '@corridor/sdk/index.ts'
import { useQueryClient } from '@tanstack/react-query'
import { createContext, type ReactNode, useContext, useMemo, useState } from 'react'

export type Environment = 'sandbox' | 'production'

/** Who is signed in, and to what. It lives in the memory of the page: closing or reloading it signs out. */
export interface Session {
  readonly corridor: Corridor
  /** As it stands in addresses: the first label of the platform's UMA domain. */
  readonly platform: string
  readonly environment: Environment
}

interface Sessions {
  readonly session: Session | undefined
  /** Fails with the error of the API where the credential is not good. */
  signIn(clientId: string, clientSecret: string): Promise<Session>
  signOut(): void
}

const SessionContext = createContext<Sessions | undefined>(undefined)

export const apiVersion = '2025-10-13'

export function SessionProvider({ children }: { children: ReactNode }) {
  const [session, setSession] = useState<Session>()
  const queries = useQueryClient()
  const sessions = useMemo<Sessions>(
    () => ({
      session,
      async signIn(clientId, clientSecret) {
        const opened = await openSession(clientId, clientSecret)
        queries.clear()
        setSession(opened)
        return opened
      },
      signOut() {
        queries.clear()
        setSession(undefined)
      },
    }),
    [session, queries],
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

async function openSession(clientId: string, clientSecret: string): Promise<Session> {
  const corridor = new Corridor({
    baseUrl: `${location.origin}/${apiVersion}`,
    clientId,
    clientSecret,
    // Without this a refused credential would make the browser ask for another in a window of its own.
    fetch: (request) => fetch(request as Request, { credentials: 'omit' }),
  })
  const { umaDomain } = await corridor.config.get()
  return { corridor, platform: umaDomain.split('.')[0]!, environment: await environmentOf(corridor) }
}

/** The clock of the sandbox is there in the sandbox alone. */
async function environmentOf(corridor: Corridor): Promise<Environment> {
  try {
    await corridor.sandbox.clock.get()
    return 'sandbox'
  } catch (error) {
    if (error instanceof Corridor.Error && error.status < 500) return 'production'
    throw error
  }
}
