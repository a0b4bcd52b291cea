import { Corridor } from '@corridor/sdk/index.ts'
import { type FormEvent, useEffect, useState } from 'react'
import { useSessions } from '../../app/session.tsx'
import { useTheme } from '../../app/theme.ts'
import { Trouble } from '../../parts/states.tsx'

/** Takes the credential of a platform. It goes to the API alone, and is kept nowhere but in the memory of the page. */
export function SignInPage() {
  const { signIn } = useSessions()
  const [error, setError] = useState<unknown>()
  const [isBusy, setBusy] = useState(false)
  useTheme()
  useEffect(() => {
    document.title = 'Sign in · Corridor'
  }, [])
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const given = new FormData(event.currentTarget)
    setBusy(true)
    setError(undefined)
    try {
      await signIn(String(given.get('clientId')).trim(), String(given.get('clientSecret')).trim())
    } catch (refused) {
      setError(refused)
      setBusy(false)
    }
  }
  const isRefused = error instanceof Corridor.Error && error.status === 401
  return (
    <main className="sign-in">
      <h1>Corridor console</h1>
      <form onSubmit={(event) => void submit(event)}>
        <label>
          Client id
          <input name="clientId" required maxLength={200} autoComplete="username" spellCheck={false} />
        </label>
        <label>
          Client secret
          <input
            name="clientSecret"
            type="password"
            required
            maxLength={500}
            autoComplete="current-password"
          />
        </label>
        <button type="submit" className="main" disabled={isBusy}>
          {isBusy ? 'Signing in' : 'Sign in'}
        </button>
      </form>
      {isRefused && (
        <p className="trouble" role="alert">
          This is no credential of this installation, or it was revoked. Nothing was signed in.
        </p>
      )}
      {error !== undefined && !isRefused && <Trouble error={error} />}
      <p className="muted">
        A credential of a platform; the first start writes some into <code>credentials.json</code> of its data
        directory. You see and do what its permissions allow. Reloading or closing the page signs you out.
      </p>
      <p>
        <a href="/docs">Documentation</a>
      </p>
    </main>
  )
}
