import { platformRuntime } from '@corridor/sdk/runtime.ts'
import { useQuery } from '@tanstack/react-query'
import { useRouterState } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { t } from '../language/t.ts'
import { relativeOf } from '../parts/times.ts'
import { Go } from './places.tsx'
import type { Looked, Session } from './session.tsx'

/** Its name, as the API has it. */
export const mainWorld = 'main'

/** The forks of the sandbox; none where the server makes none, or whoever is signed in may not see them. */
export function useForks({ corridor, environment, hasWorlds }: Session) {
  return useQuery({
    queryKey: ['worlds', 'forks'],
    queryFn: async () => (await corridor.sandbox.worlds.list()).data,
    enabled: environment === 'sandbox' && hasWorlds,
    staleTime: 30_000,
  })
}

/** The address of a page in a world, behind `/console`. */
export function inWorld({ platform, environment, world }: Looked, page = ''): string {
  const segment = world === undefined ? environment : `${environment}@${world}`
  return `/${platform}/${segment}${page === '' ? '' : `/${page}`}`
}

/** In the header of a sandbox: in which world one is, and the others. */
export function WorldSwitch({ session }: { readonly session: Session }) {
  const forks = useForks(session).data ?? []
  const path = useRouterState({ select: (state) => state.location.pathname })
  const box = useRef<HTMLDetailsElement>(null)
  useEffect(() => {
    if (box.current) box.current.open = false
  }, [path])
  const { world, platform, environment } = session
  if (forks.length === 0 && world === undefined) return null
  const page = listOf(path)
  const { now } = platformRuntime
  const place = (of: string | undefined) => inWorld({ platform, environment, world: of }, page)
  return (
    <details
      ref={box}
      className="worlds"
      onKeyDown={({ key }) => {
        if (key !== 'Escape' || !box.current?.open) return
        box.current.open = false
        box.current.querySelector('summary')?.focus()
      }}
    >
      <summary aria-label={t('World {name}', { name: world ?? mainWorld })}>{world ?? mainWorld}</summary>
      <ul>
        <li>
          <Go to={place(undefined)} aria-current={world === undefined ? 'true' : undefined}>
            {mainWorld}
          </Go>
        </li>
        {forks.map(({ name, createdAt }) => (
          <li key={name}>
            <Go to={place(name)} aria-current={world === name ? 'true' : undefined}>
              {name} <small>{relativeOf(Date.parse(createdAt) - now())}</small>
            </Go>
          </li>
        ))}
      </ul>
    </details>
  )
}

const lists = [
  'payments',
  'customers',
  'accounts',
  'webhooks',
  'requests',
  'ledger',
  'cards',
  'agents',
  'stablecoins',
  'verifications',
  'documents',
  'network',
  'rates',
  'settings',
]

/** The list that a page belongs to: what an id names in one world may be nothing in the other. */
function listOf(path: string): string {
  const [page = '', under = ''] = path
    .replace(/^\/console(?=\/)/, '')
    .split('/')
    .slice(3)
  if (page === 'sandbox') return under === '' ? page : `${page}/${under}`
  if (page === 'quotes') return 'payments'
  return lists.includes(page) ? page : ''
}
