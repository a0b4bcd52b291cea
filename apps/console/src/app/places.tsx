import { useRouter, useRouterState } from '@tanstack/react-router'
import {
  type AnchorHTMLAttributes,
  createContext,
  type MouseEvent,
  type ReactNode,
  useContext,
  useMemo,
} from 'react'
import type { TimeMode } from '../parts/times.ts'
import { segmentOf } from './console-api.ts'
import { useSessions } from './session.tsx'
import { useTimeMode } from './time-mode.ts'

/**
 * The addresses of the console: `/console/{platform}/{environment}/…`, with `@{fork}` in one, those of operators `/console/operator/…`, and what
 * stands in their query.
 */

export interface Places {
  /** Of a page of where one is; with a slash in front, of any page of the console. */
  href(path: string): string
  /** The same without what is carried from page to page. */
  bare(path: string): string
  go(path: string): void
}

const PlacesContext = createContext<Places | undefined>(undefined)

/** Around all pages: a list has links by the dozen, none of which listens to the router itself. */
export function PlacesProvider({ children }: { readonly children: ReactNode }) {
  const router = useRouter()
  const { session, state } = useSessions()
  const time = useTimeMode()
  const isOperator = state.kind === 'IN' && state.operator !== undefined
  const places = useMemo(() => {
    const home = isOperator ? '/console/operator' : '/console'
    const base = session ? `/console/${session.platform}/${segmentOf(session)}` : home
    const href = (path: string) => {
      if (path.startsWith('/')) return `/console${path}`
      return path === '' ? base : `${base}/${path}`
    }
    // How times are written stays while one goes from page to page.
    const carried = (path: string) => withTime(href(path), time)
    return { href: carried, bare: href, go: (path: string) => router.history.push(carried(path)) }
  }, [router, session, isOperator, time])
  return <PlacesContext.Provider value={places}>{children}</PlacesContext.Provider>
}

/** Around what is of one platform on a page of operators: what is named there has its pages at that platform. */
export function PlacesAt({
  platformId,
  environment,
  children,
}: {
  readonly platformId: string
  readonly environment: string
  readonly children: ReactNode
}) {
  const { href, bare, go } = usePlaces()
  const places = useMemo(() => {
    const there = (path: string) =>
      path.startsWith('/') ? path : `/${platformId}/${environment.toLowerCase()}/${path}`
    return {
      href: (path: string) => href(there(path)),
      bare: (path: string) => bare(there(path)),
      go: (path: string) => go(there(path)),
    }
  }, [href, bare, go, platformId, environment])
  return <PlacesContext.Provider value={places}>{children}</PlacesContext.Provider>
}

export function usePlaces(): Places {
  const places = useContext(PlacesContext)
  if (!places) throw new Error('there are no places outside of PlacesProvider')
  return places
}

function withTime(address: string, mode: TimeMode): string {
  if (mode === 'local') return address
  const [, path, query = '', hash = ''] = /^([^?#]*)(\?[^#]*)?(#.*)?$/.exec(address)!
  return `${path}${query === '' ? '?' : `${query}&`}time=${mode}${hash}`
}

type LinkProps = {
  readonly to: string
  /** What a plain press does instead of going there. */
  readonly follow?: (event: MouseEvent<HTMLAnchorElement>) => void
} & AnchorHTMLAttributes<HTMLAnchorElement>

/** Within it links are text: inside of another link, and where lines are closer than a finger is wide, a row leads to its page, and that to the others. */
export const LinksAreText = createContext(false)

/** A link to a page of the console; with Ctrl or the middle button it opens beside it, as links do. */
export function Go({ to, onClick, follow, ...more }: LinkProps) {
  const { href, go } = usePlaces()
  if (useContext(LinksAreText)) {
    const { className, title, children } = more
    return (
      <span className={className} title={title}>
        {children}
      </span>
    )
  }
  const press = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event)
    if (event.defaultPrevented || event.button !== 0) return
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    if (follow) follow(event)
    else go(to)
  }
  return <a href={href(to)} onClick={press} {...more} />
}

/** What stands in the query of the address, which is the whole state of a view: who has the address sees the same. */
export function useView(): [
  URLSearchParams,
  (changes: Readonly<Record<string, string | undefined>>) => void,
] {
  const router = useRouter()
  const text = useRouterState({ select: (state) => state.location.searchStr })
  const view = useMemo(() => new URLSearchParams(text), [text])
  const change = (changes: Readonly<Record<string, string | undefined>>) => {
    const next = new URLSearchParams(view)
    for (const [name, value] of Object.entries(changes)) {
      if (value) next.set(name, value)
      else next.delete(name)
    }
    const query = next.toString()
    router.history.replace(`${location.pathname}${query ? `?${query}` : ''}`)
  }
  return [view, change]
}

const pageOfKind: Readonly<Record<string, string>> = {
  Transaction: 'payments',
  CardTransaction: 'payments',
  Quote: 'quotes',
  Receivable: 'receivables',
  Customer: 'customers',
  InternalAccount: 'accounts',
  Webhook: 'webhooks',
  Card: 'cards',
  Agent: 'agents',
  Stablecoin: 'stablecoins',
  StablecoinOperation: 'stablecoin-operations',
  StablecoinProviderAccount: 'stablecoin-provider-accounts',
  Verification: 'verifications',
  Document: 'documents',
  BeneficialOwner: 'beneficial-owners',
  ExternalAccount: 'external-accounts',
  DelegatedKey: 'delegated-keys',
  Job: 'imports',
  Fault: 'sandbox/faults',
}

/** Where the page of an id is; undefined when no page shows such a thing. */
export function placeOf(id: string): string | undefined {
  const page = pageOfKind[id.split(':')[0]!]
  return page && id.includes(':') ? `${page}/${encodeURIComponent(id)}` : undefined
}
