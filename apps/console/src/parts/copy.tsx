import { useRef, useState } from 'react'
import { useKeys } from '../app/keys.ts'
import { usePageId } from '../app/page-id.ts'
import { useSession } from '../app/session.tsx'
import { t } from '../language/t.ts'
import { useCopied } from './copied.ts'
import { useInWorld } from './in-world.ts'
import { masked } from './masked.ts'

interface Forms {
  /** Of the API, behind its version. */
  readonly path: string
  readonly sdk: string
  readonly cli: string
  readonly body: unknown
  /** Default: GET. */
  readonly method?: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'
  /** Whether it is asked with a body, which the command takes from a file. */
  readonly takesBody?: boolean
  /** Prose, where there is some: it is asked for when it is wanted. */
  readonly ticket?: () => Promise<string>
}

/** The same thing as a command, as code, as data and as a link. Secrets are variables, never their values. */
export function CopyAs({ path, sdk, cli, body, method = 'GET', takesBody = false, ticket }: Forms) {
  const { corridor } = useSession()
  const there = useInWorld()
  const curl = () => {
    const command = there.curl(corridor.curl({ method, path }))
    return takesBody ? `${command} \\\n  -H 'content-type: application/json' \\\n  -d @body.json` : command
  }
  const forms: readonly Form[] = [
    ['curl', curl],
    ['SDK', () => there.sdk(sdk)],
    ['CLI', () => there.cli(cli)],
    ['JSON', () => masked(JSON.stringify(body, undefined, 2))],
    [t('Link'), () => location.href],
    ...(ticket ? [[t('Markdown for a ticket'), ticket] as const] : []),
  ]
  return <Copies of={forms} />
}

type Form = readonly [name: string, text: () => string | Promise<string>]

/** One button for each form; `y` goes to them, and `c` copies the id of the page. */
export function Copies({ of: forms }: { readonly of: readonly Form[] }) {
  const id = usePageId()
  const copied = useCopied()
  const box = useRef<HTMLFieldSetElement>(null)
  useKeys({
    y: () => box.current?.querySelector('button')?.focus(),
    ...(id === undefined ? {} : { c: () => copied.copy(id) }),
  })
  return (
    <fieldset ref={box} className="copies" aria-label={t('Copy as')}>
      {forms.map(([name, text]) => (
        <Copy key={name} name={name} text={text} />
      ))}
      <span className="muted" role="status">
        {copied.told}
      </span>
    </fieldset>
  )
}

/** A browser wants to be asked at the press: what comes later is promised to it, where it takes promises. */
async function write(text: string | Promise<string>): Promise<void> {
  if (typeof text === 'string') return navigator.clipboard.writeText(text)
  if (typeof ClipboardItem === 'undefined') return navigator.clipboard.writeText(await text)
  const blob = text.then((found) => new Blob([found], { type: 'text/plain' }))
  return navigator.clipboard.write([new ClipboardItem({ 'text/plain': blob })])
}

interface CopyProps {
  readonly name: string
  readonly text: () => string | Promise<string>
  /** What stands on the button where its name alone would not say that it copies. */
  readonly label?: string
  /** What it does in full, for who does not see it; one that has it stands alone, with an edge. */
  readonly says?: string
}

export function Copy({ name, text, label = name, says }: CopyProps) {
  const [done, setDone] = useState<string>()
  const copy = () =>
    navigator.clipboard
      ? write(text()).then(
          () => setDone(t('copied')),
          () => setDone(t('not allowed')),
        )
      : setDone(t('needs https or localhost'))
  return (
    <button
      type="button"
      className={says ? undefined : 'quiet'}
      onClick={() => void copy()}
      aria-label={says ?? t('Copy as {name}', { name })}
    >
      {label}
      <span role="status">{done ? ` ${done}` : ''}</span>
    </button>
  )
}
