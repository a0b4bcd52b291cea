import { useState } from 'react'
import { t } from '../language/t.ts'
import { lastFour, masked } from './masked.ts'

/** What the API says, as it says it; numbers of people and companies are shown in full to who asks for it. */
export function Known({ of }: { readonly of: unknown }) {
  const text = typeof of === 'string' ? of : JSON.stringify(of, undefined, 2)
  const hidden = masked(text)
  const [isShown, setShown] = useState(false)
  if (hidden === text) return <pre>{text}</pre>
  return (
    <>
      <button type="button" aria-pressed={isShown} onClick={() => setShown(!isShown)}>
        {t('Show identifiers in full')}
      </button>
      <pre>{isShown ? text : hidden}</pre>
    </>
  )
}

/** One such number among facts. To show it says nothing of another that comes in its place, as on the page of somebody else. */
export function Identifier({ name, value }: { readonly name: string; readonly value: string }) {
  const [shown, setShown] = useState<string>()
  const isShown = shown === value
  return (
    <>
      <span className="id">{isShown ? value : lastFour(value)}</span>{' '}
      <button
        type="button"
        className="quiet"
        aria-pressed={isShown}
        aria-label={t('Show {name}', { name })}
        onClick={() => setShown(isShown ? undefined : value)}
      >
        {t('Show')}
      </button>
    </>
  )
}
