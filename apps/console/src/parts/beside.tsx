import { useRouter } from '@tanstack/react-router'
import {
  type ComponentType,
  createContext,
  lazy,
  type ReactNode,
  Suspense,
  useContext,
  useEffect,
  useMemo,
  useRef,
} from 'react'
import { Go, useView } from '../app/places.tsx'
import { useMedia } from '../app/preferences.ts'
import { t } from '../language/t.ts'
import { Contained } from './contained.tsx'
import { shortOf } from './facts.tsx'
import { PaneContext } from './pane.ts'
import { Loading } from './states.tsx'

/** Where there is room for navigation, a list and what is opened of it, as the style sheet has it too. */
export const roomy = '(min-width: 1200px)'
/** Of the address: what is opened beside the list. */
export const openName = 'open'

/** What a list tells of its rows, where one of them can stand open beside it. */
export interface OpenBeside {
  /** The page of the row that is open; undefined: none is. */
  readonly place: string | undefined
  /** Whether a row can be shown there; its own page is opened elsewhere. */
  takes(place: string): boolean
  /** `isByKeys`: who came with the keys goes on in what was opened, who has a pointer stays in the list. */
  open(place: string, isByKeys: boolean): void
}

const BesideContext = createContext<OpenBeside | undefined>(undefined)

/** Undefined: nothing stands beside this list. */
export const useBeside = () => useContext(BesideContext)

interface BesideProps {
  /** The first part of the addresses of its pages, as `payments`. */
  readonly of: string
  /** Loads the page of one: what stands at its own address stands here as well. */
  readonly page: ComponentType
  /** The page of the list. */
  readonly children: ReactNode
}

/**
 * A list and, beside it, what is opened of it: the address says which, so that a reload and a link show the same. Where there is
 * no room for both, a row leads to its own page, and an address that was made where there is room shows what it names alone.
 */
export function Beside({ of, page: Page, children }: BesideProps) {
  const router = useRouter()
  const [view, change] = useView()
  const isRoomy = useMedia(roomy)
  const id = view.get(openName) ?? undefined
  const place = id === undefined ? undefined : `${of}/${encodeURIComponent(id)}`
  const pane = useRef<HTMLElement>(null)
  const wantsFocus = useRef(false)
  const beside = useMemo<OpenBeside>(
    () => ({
      place,
      takes: (other) => isRoomy && other.startsWith(`${of}/`),
      open(other, isByKeys) {
        const query = new URLSearchParams(location.search)
        query.set(openName, decodeURIComponent(other.slice(of.length + 1)))
        wantsFocus.current = isByKeys
        const address = `${location.pathname}?${query}`
        if (place === other) pane.current?.focus()
        // The first can be left by the browser's own way back; walking through a list leaves no trail of each row.
        else if (place === undefined) router.history.push(address)
        else router.history.replace(address)
      },
    }),
    [place, of, isRoomy, router],
  )
  useEffect(() => {
    if (id === undefined || !wantsFocus.current) return
    wantsFocus.current = false
    pane.current?.focus({ preventScroll: true })
  }, [id])
  const close = () => {
    change({ [openName]: undefined, show: undefined })
    if (pane.current?.contains(document.activeElement)) focusRow(pane.current)
  }
  return (
    <div className={id === undefined ? 'split' : 'split opened'}>
      <div className="master">
        <BesideContext value={beside}>{children}</BesideContext>
      </div>
      {id !== undefined && place !== undefined && (
        <section
          ref={pane}
          className="pane"
          aria-label={t('Details of {id}', { id: shortOf(id) })}
          tabIndex={-1}
        >
          <Escape close={close} />
          <p className="acts pane-acts">
            <Go to={place}>{t('Open page')}</Go>
            <span className="gap" />
            <button type="button" className="quiet" aria-keyshortcuts="Escape" onClick={close}>
              {t('Close')} <kbd>Esc</kbd>
            </button>
          </p>
          <PaneContext value={{ id, isAlone: !isRoomy }}>
            <Contained key={id}>
              <Suspense fallback={<Loading />}>
                <Page />
              </Suspense>
            </Contained>
          </PaneContext>
        </section>
      )}
    </div>
  )
}

/** The code of a page, read when something is first opened. */
export function besidePage<N extends string>(
  load: () => Promise<Readonly<Record<N, ComponentType>>>,
  name: N,
): ComponentType {
  return lazy(async () => ({ default: (await load())[name] as ComponentType }))
}

/** Closes what is open, but what stands over the page or is being typed in comes first. */
function Escape({ close }: { readonly close: () => void }) {
  const latest = useRef(close)
  latest.current = close
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const { tagName } = event.target as HTMLElement
      const isField = /^(INPUT|TEXTAREA|SELECT)$/.test(tagName)
      if (event.key !== 'Escape' || isField || event.defaultPrevented) return
      if (document.querySelector('dialog[open]')) return
      latest.current()
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [])
  return null
}

/** Back to the row that was open; to the list, where the row has been scrolled away. */
function focusRow(pane: HTMLElement): void {
  const list = pane.parentElement?.querySelector<HTMLElement>('.rows')
  const row = list?.querySelector<HTMLElement>('tr[aria-current] a')
  ;(row ?? list)?.focus({ preventScroll: true })
}
