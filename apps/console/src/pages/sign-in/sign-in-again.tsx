import { useEffect, useRef } from 'react'
import { useSessions } from '../../app/session.tsx'
import { words } from '../../words.ts'
import { SignInForm } from './sign-in-form.tsx'

/** Over the page, which keeps what was typed into it. */
export function SignInAgain() {
  const dialog = useRef<HTMLDialogElement>(null)
  const { putOff } = useSessions()
  useEffect(() => dialog.current?.showModal(), [])
  return (
    <dialog ref={dialog} className="palette sign-in" aria-label={words.signIn.again} onClose={putOff}>
      <h2>{words.signIn.again}</h2>
      <p>{words.signIn.whyAgain}</p>
      <SignInForm />
      <button type="button" onClick={() => dialog.current?.close()}>
        {words.signIn.notNow}
      </button>
    </dialog>
  )
}
