import { useMutation, useQuery } from '@tanstack/react-query'
import { Outlet, useRouterState } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { type Account, type Platform, useOperator } from '../pages/operator/operator-api.ts'
import { SignInAgain } from '../pages/sign-in/sign-in-again.tsx'
import { Icon } from '../parts/icon.tsx'
import { Trouble } from '../parts/states.tsx'
import { words } from '../words.ts'
import { Told, useCommands } from './commands.tsx'
import { useKeys } from './keys.ts'
import { LiveBar, LiveButton, LiveProvider } from './live/live.tsx'
import { type Entry, isOf, menu, operatorMenu } from './menu.ts'
import { Palette } from './palette.tsx'
import { Go, usePlaces } from './places.tsx'
import { type Environment, type Session, useSessions } from './session.tsx'
import { type Soundness, SoundnessBar, SoundnessWord, useSoundness, useSoundnessOfAll } from './soundness.tsx'
import { useTheme } from './theme.ts'
import { ClockOf, TimeProvider } from './time.tsx'
import { ViewDialog } from './view-dialog.tsx'
import { WorldSwitch } from './world-switch.tsx'

/** The frame around the pages of a platform. */
export function PlatformShell({ session }: { readonly session: Session }) {
  const { environment, platform, corridor } = session
  const { state } = useSessions()
  const soundness = useSoundness(corridor)
  const { go } = usePlaces()
  useKeys({
    'g h': () => go(''),
    'g p': () => go('payments'),
    'g c': () => go('customers'),
    'g a': () => go('accounts'),
    'g w': () => go('webhooks'),
    'g r': () => go('requests'),
    'g l': () => go('ledger'),
    'g n': () => go('quotes/new'),
    ...(environment === 'sandbox' ? { 'g s': () => go('sandbox') } : {}),
  })
  const entries = menu.filter(({ only }) => only === undefined || only === environment)
  const isOperator = state.kind === 'IN' && state.operator !== undefined
  return (
    <LiveProvider session={session}>
      <TimeProvider session={session}>
        <Shell
          environment={environment}
          word={environment.toUpperCase()}
          name={platform}
          entries={isOperator ? [...entries, { to: '/operator', name: words.operator.back }] : entries}
          findable={[{ to: 'quotes/new', name: words.pages.newQuote }]}
          session={session}
          soundness={soundness}
          world={environment === 'sandbox' && <WorldSwitch session={session} />}
          clock={environment === 'sandbox' && <ClockOf session={session} />}
        />
      </TimeProvider>
    </LiveProvider>
  )
}

/** The frame around the pages of operators. Red as soon as anything is in production. */
export function OperatorShell() {
  const { get, page, id, role } = useOperator()
  const soundness = useSoundnessOfAll()
  const platforms = useQuery({
    queryKey: ['operator', 'platforms'],
    queryFn: () => page<Platform>('platforms'),
    // Their clocks are in it, which are moved.
    refetchInterval: 30_000,
  })
  const self = useQuery({ queryKey: ['operator', 'me'], queryFn: () => get<Account>('me') })
  // Until it is known, what is shown is taken for the real thing.
  const isReal =
    platforms.data?.data.some(({ environment }) => environment.toLowerCase() !== 'sandbox') ?? true
  return (
    <TimeProvider>
      <Shell
        environment={isReal ? 'production' : 'sandbox'}
        word={`${words.operator.word} · ${isReal ? 'PRODUCTION' : 'SANDBOX'}`}
        name={`${self.data?.name ?? id} · ${role}`}
        entries={operatorMenu}
        findable={[]}
        session={undefined}
        soundness={soundness}
      />
    </TimeProvider>
  )
}

interface ShellProps {
  readonly environment: Environment
  /** What says in the header where one is. */
  readonly word: string
  readonly name: string
  readonly entries: readonly Entry[]
  /** What is found by its name and is not in the menu. */
  readonly findable: readonly Entry[]
  /** Where things are found besides pages. */
  readonly session: Session | undefined
  /** Undefined until an audit has said it. */
  readonly soundness: Soundness | undefined
  readonly clock?: ReactNode
  readonly world?: ReactNode
}

function Shell({ environment, word, name, entries, findable, session, soundness, clock, world }: ShellProps) {
  const { state, signOut } = useSessions()
  const leave = useMutation({ mutationFn: signOut })
  const [isViewOpen, setViewOpen] = useState(false)
  const [isPaletteOpen, setPaletteOpen] = useState(false)
  const [isMenuOpen, setMenuOpen] = useState(false)
  const [theme, toggleTheme] = useTheme()
  const path = useRouterState({ select: (state) => state.location.pathname })
  const main = useRef<HTMLElement>(null)
  const commands = useCommands(session, isPaletteOpen)
  const { forget } = commands

  useEffect(() => {
    document.documentElement.dataset.environment = environment
    setIcon(environment)
    return () => {
      delete document.documentElement.dataset.environment
      // Who has signed out is in neither.
      setIcon('corridor')
    }
  }, [environment])
  // Another page closes the menu of a phone.
  useEffect(() => {
    setMenuOpen(false)
    forget()
  }, [path])

  useKeys({ 'mod+k': () => setPaletteOpen(true), '?': () => setPaletteOpen(true) })

  return (
    <div className="frame">
      <a className="skip" href="#main">
        {words.shell.skip}
      </a>
      <header className="top">
        <button
          type="button"
          className="menu-button"
          aria-expanded={isMenuOpen}
          aria-controls="menu"
          onClick={() => setMenuOpen(!isMenuOpen)}
        >
          {words.shell.menu}
        </button>
        <strong className="environment">{word}</strong>
        {world}
        <span className={session ? 'platform' : 'platform person'}>{name}</span>
        <SoundnessWord of={soundness} />
        {clock}
        <span className="gap" />
        <LiveButton />
        <button type="button" className="search" onClick={() => setPaletteOpen(true)}>
          {words.shell.search} <kbd>{searchKey}</kbd>
        </button>
        <button type="button" className="quiet wide" onClick={() => setViewOpen(true)}>
          {words.view.title}
        </button>
        <button type="button" className="quiet" onClick={toggleTheme} aria-label={words.shell.theme(theme)}>
          <Icon name={theme === 'dark' ? 'light' : 'dark'} />
        </button>
        <button
          type="button"
          className="quiet wide"
          disabled={leave.isPending}
          onClick={() => leave.mutate()}
        >
          {words.shell.signOut}
        </button>
      </header>
      <nav id="menu" aria-label={words.shell.menu} className={isMenuOpen ? 'menu open' : 'menu'}>
        {entries.map((entry) => (
          <Go key={entry.to} to={entry.to} aria-current={isOf(entry, path) ? 'page' : undefined}>
            {entry.name}
          </Go>
        ))}
        <button type="button" className="quiet narrow-only" onClick={() => setViewOpen(true)}>
          {words.view.title}
        </button>
        <button
          type="button"
          className="quiet narrow-only"
          disabled={leave.isPending}
          onClick={() => leave.mutate()}
        >
          {words.shell.signOut}
        </button>
      </nav>
      <main id="main" ref={main} tabIndex={-1}>
        {leave.isError && <Trouble error={leave.error} />}
        <SoundnessBar of={soundness} />
        <LiveBar />
        <Told of={commands} />
        <Outlet />
      </main>
      {state.kind === 'IN' && state.mustSignInAgain && <SignInAgain />}
      {isViewOpen && <ViewDialog isOperator={session === undefined} onClose={() => setViewOpen(false)} />}
      {isPaletteOpen && (
        <Palette
          entries={[...entries, ...findable]}
          session={session}
          sandbox={commands.ofSandbox}
          frame={[
            { name: words.shell.theme(theme), run: toggleTheme },
            { name: words.view.title, run: () => setViewOpen(true) },
            { name: words.shell.signOut, run: () => leave.mutate() },
          ]}
          onClose={() => setPaletteOpen(false)}
        />
      )}
    </div>
  )
}

/** As keyboards have it. */
const searchKey = /^(Mac|iP)/.test(navigator.platform) ? '⌘ K' : 'Ctrl K'

function setIcon(name: Environment | 'corridor'): void {
  const icon = document.querySelector<HTMLLinkElement>('link[rel=icon]')
  if (icon) icon.href = `/console/${name}.svg`
}
