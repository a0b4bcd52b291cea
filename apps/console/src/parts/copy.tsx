import { useState } from 'react'
import { apiAddress } from '../app/console-api.ts'
import { useSession } from '../app/session.tsx'

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
}

/** The same thing as a command, as code, as data and as a link. Secrets are variables, never their values. */
export function CopyAs({ path, sdk, cli, body, method = 'GET', takesBody = false }: Forms) {
  const { corridor } = useSession()
  const curl = () => {
    const command = corridor.curl({ method, path }).replace(corridor.baseUrl, apiAddress)
    return takesBody ? `${command} \\\n  -H 'content-type: application/json' \\\n  -d @body.json` : command
  }
  const forms: readonly (readonly [string, () => string])[] = [
    ['curl', curl],
    ['SDK', () => sdk],
    ['CLI', () => cli],
    ['JSON', () => JSON.stringify(body, undefined, 2)],
    ['Link', () => location.href],
  ]
  return (
    <fieldset className="copies" aria-label="Copy as">
      {forms.map(([name, text]) => (
        <Copy key={name} name={name} text={text} />
      ))}
    </fieldset>
  )
}

interface CopyProps {
  readonly name: string
  readonly text: () => string
  /** What stands on the button where its name alone would not say that it copies. */
  readonly label?: string
}

export function Copy({ name, text, label = name }: CopyProps) {
  const [done, setDone] = useState<string>()
  const copy = () =>
    navigator.clipboard
      ? navigator.clipboard.writeText(text()).then(
          () => setDone('copied'),
          () => setDone('not allowed'),
        )
      : setDone('needs https or localhost')
  return (
    <button type="button" className="quiet" onClick={() => void copy()} aria-label={`Copy as ${name}`}>
      {label}
      <span role="status">{done ? ` ${done}` : ''}</span>
    </button>
  )
}
