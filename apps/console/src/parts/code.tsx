import { useState } from 'react'
import { t } from '../language/t.ts'
import { Copy } from './copy.tsx'

interface CodeProps {
  /** What the code does, for those who hear the page. */
  readonly label: string
  /** The same thing in several languages, each with its name. */
  readonly forms: readonly (readonly [name: string, text: string])[]
  /** What has to be there before it can be copied, in words. */
  readonly lacks?: string | undefined
}

/** Code in the language that is chosen, and a button that copies it. */
export function Code({ label, forms, lacks }: CodeProps) {
  const [chosen, setChosen] = useState(forms[0]![0])
  const [name, text] = forms.find(([each]) => each === chosen) ?? forms[0]!
  return (
    <section className="code" aria-label={label}>
      <div className="acts">
        {forms.map(([each]) => (
          <button
            key={each}
            type="button"
            className="quiet"
            aria-pressed={each === name}
            onClick={() => setChosen(each)}
          >
            {each}
          </button>
        ))}
        {lacks === undefined ? (
          <Copy name={name} label={t('Copy')} text={() => text} />
        ) : (
          <span className="muted">{lacks}</span>
        )}
      </div>
      <pre>{text}</pre>
    </section>
  )
}
