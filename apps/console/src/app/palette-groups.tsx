import type { ReactNode } from 'react'
import { Status } from '../parts/status.tsx'
import { words } from '../words.ts'
import type { Command } from './commands.tsx'
import type { PageAct } from './page-acts.ts'
import { placeOf } from './places.tsx'
import type { DocsPlace } from './use-docs.ts'
import type { Match } from './use-search.ts'

/** What the box that finds anything offers for a text, in groups. */

export interface Entry {
  readonly to: string
  readonly name: string
}

export interface Option {
  readonly key: string
  readonly name: string
  readonly said?: ReactNode
  readonly what:
    | { readonly kind: 'PLACE'; readonly to: string }
    /** Beside the console, which stays where it is. */
    | { readonly kind: 'DOCS'; readonly to: string }
    | { readonly kind: 'ACT'; readonly run: () => void }
}

export interface Group {
  readonly name: string
  readonly options: readonly Option[]
}

export interface Offered {
  readonly asked: string
  readonly entries: readonly Entry[]
  /** Where the page of this id is, whatever the API finds. */
  readonly byId: string | undefined
  readonly matches: readonly Match[]
  readonly acts: readonly PageAct[]
  readonly sandbox: readonly Command[]
  readonly frame: readonly Command[]
  readonly docs: readonly DocsPlace[]
}

/** What was found first, unless a page or something to do has the name: those are named by who knows them. */
export function groupsOf({ asked, entries, byId, matches, acts, sandbox, frame, docs }: Offered): Group[] {
  const isCalled = ({ name }: { readonly name: string }) => name.toLowerCase().includes(asked.toLowerCase())
  const isFound = byId === undefined || matches.some((match) => placeOfMatch(match) === byId)
  const groups: Group[] = [
    {
      name: words.palette.id,
      options: isFound ? [] : [place(byId, words.palette.open(asked))],
    },
    { name: words.palette.pages, options: entries.filter(isCalled).map(({ to, name }) => place(to, name)) },
    {
      name: words.palette.acts,
      options: acts.filter(isCalled).map(({ name, press }) => act(`act ${name}`, name, press)),
    },
    { name: words.palette.sandbox, options: commands(sandbox.filter(isCalled)) },
    { name: words.palette.console, options: commands(frame.filter(isCalled)) },
    ...found(matches),
    { name: words.palette.docs, options: docsOptions(docs, isCalled) },
  ]
  return groups.filter(({ options }) => options.length > 0)
}

const place = (to: string, name: string, said?: ReactNode): Option => ({
  key: to,
  name,
  said,
  what: { kind: 'PLACE', to },
})

const act = (key: string, name: string, run: () => void): Option => ({
  key,
  name,
  what: { kind: 'ACT', run },
})

function commands(of: readonly Command[]): Option[] {
  return of.map(({ name, run }) => act(`command ${name}`, name, run))
}

function found(matches: readonly Match[]): Group[] {
  const groups = new Map<string, Option[]>()
  for (const match of matches) {
    const to = placeOfMatch(match)
    if (to === undefined) continue
    const name = words.palette.kinds[match.resourceType] ?? match.resourceType
    groups.set(name, [...(groups.get(name) ?? []), place(to, match.title, <Said match={match} />)])
  }
  return [...groups].map(([name, options]) => ({ name, options }))
}

function placeOfMatch({ resourceType, resourceId }: Match): string | undefined {
  if (resourceType === 'Request') return `requests/${encodeURIComponent(resourceId)}`
  if (resourceType === 'Token') return 'settings'
  return placeOf(resourceId)
}

function Said({ match }: { readonly match: Match }) {
  const { detail, status, matched } = match
  const by = words.palette.by[matched]
  return (
    <>
      {status !== undefined && <Status status={status} />}
      <small className="muted">{[detail, by].filter(Boolean).join(' · ')}</small>
    </>
  )
}

const allDocs = { at: '/docs', page: '', heading: words.palette.allDocs }

function docsOptions(docs: readonly DocsPlace[], isCalled: (of: { name: string }) => boolean): Option[] {
  const all = isCalled({ name: allDocs.heading }) ? [allDocs] : []
  return [...docs, ...all].map(({ at, page, heading }, index) => ({
    key: `docs ${index} ${at}`,
    name: heading,
    said: page !== '' && page !== heading && <small className="muted">{page}</small>,
    what: { kind: 'DOCS', to: at },
  }))
}
