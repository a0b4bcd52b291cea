import { useEffect, useState } from 'react'
import { placeNameNow } from '../../app/session.tsx'
import { useTheme } from '../../app/theme.ts'
import { rich, t } from '../../language/t.ts'
import { words } from '../../words.ts'
import { SignInForm } from './sign-in-form.tsx'

/** For everybody who is not signed in, and says why to who was. */
export function SignInPage({
  why,
  of,
}: {
  readonly why: keyof typeof words.signIn.why | undefined
  /** What was looked at before. */
  readonly of: string | undefined
}) {
  useTheme()
  const [now, setNow] = useState<string>()
  const isOther = why === 'OTHER_PLATFORM'
  useEffect(() => {
    // Without its name the sentence is still true.
    if (isOther) placeNameNow().then(setNow, () => {})
  }, [isOther])
  useEffect(() => {
    document.title = t('Sign in · Corridor')
  }, [])
  return (
    <main className="sign-in">
      <h1>{words.signIn.title}</h1>
      {why && (
        <p className="news" role="status">
          {words.signIn.why[why]} {isOther && of !== undefined && words.signIn.which(of, now)}
        </p>
      )}
      <SignInForm />
      <p className="muted">
        {rich(
          'Use a credential of a platform or the key of an operator. The first start writes both to <file></file> in the data directory. You have the permissions of the credential until you sign out or the session ends.',
          { file: () => <code>credentials.json</code> },
        )}
      </p>
      <p>
        <a href="/docs">{t('Documentation')}</a>
      </p>
    </main>
  )
}
