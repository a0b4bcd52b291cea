import { Corridor } from '@corridor/sdk/index.ts'
import { type FormEvent, useState } from 'react'
import { useSessions } from '../../app/session.tsx'
import { t } from '../../language/t.ts'
import { Copy } from '../../parts/copy.tsx'
import { joinCommand, mayBeJoinCode } from '../../parts/join-command.ts'
import { Trouble } from '../../parts/states.tsx'
import { words } from '../../words.ts'

/** Takes the credential of a platform, or the key of an operator. It goes to the server once, and is kept nowhere. */
export function SignInForm() {
  const { state, signIn, signInAsOperator } = useSessions()
  // Whoever signs in again does it as before.
  const [isOperator, setOperator] = useState(state.kind === 'IN' && state.operator !== undefined)
  const [error, setError] = useState<unknown>()
  const [isBusy, setBusy] = useState(false)
  const [code, setCode] = useState<string>()
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const given = new FormData(event.currentTarget)
    setBusy(true)
    setError(undefined)
    const textOf = (name: string) => String(given.get(name)).trim()
    setCode(isOperator && mayBeJoinCode(textOf('key')) ? textOf('key') : undefined)
    try {
      await (isOperator
        ? signInAsOperator(textOf('key'))
        : signIn(textOf('clientId'), textOf('clientSecret')))
    } catch (refused) {
      setError(refused)
      setBusy(false)
    }
  }
  const isRefused = error instanceof Corridor.Error && error.status === 401
  return (
    <>
      <form onSubmit={(event) => void submit(event)}>
        {isOperator ? (
          <label>
            {words.signIn.key}
            <input name="key" type="password" required maxLength={500} autoComplete="current-password" />
          </label>
        ) : (
          <>
            <label>
              {words.signIn.clientId}
              <input name="clientId" required maxLength={200} autoComplete="username" spellCheck={false} />
            </label>
            <label>
              {words.signIn.clientSecret}
              <input
                name="clientSecret"
                type="password"
                required
                maxLength={500}
                autoComplete="current-password"
              />
            </label>
          </>
        )}
        <button type="submit" className="main" disabled={isBusy}>
          {isBusy ? words.signIn.acting : words.signIn.act}
        </button>
        {state.kind !== 'IN' && (
          <button
            type="button"
            className="quiet"
            onClick={() => {
              setOperator(!isOperator)
              setError(undefined)
            }}
          >
            {isOperator ? words.signIn.asPlatform : words.signIn.asOperator}
          </button>
        )}
      </form>
      {isRefused && (
        <p className="trouble" role="alert">
          {words.signIn.refused}
        </p>
      )}
      {isRefused && code !== undefined && (
        <p className="news" role="status">
          {words.signIn.mayBeCode} <code>{joinCommand('…')}</code>{' '}
          <Copy name="curl" label={t('Copy')} text={() => joinCommand(code)} />
        </p>
      )}
      {error !== undefined && !isRefused && <Trouble isAnswer error={error} />}
    </>
  )
}
