import type { Item } from '@corridor/sdk/index.ts'
import { useId, useState } from 'react'
import { useSession } from '../../app/session.tsx'
import { rich, t } from '../../language/t.ts'
import { Act } from '../../parts/act.tsx'
import { Known } from '../../parts/known.tsx'
import { Part } from '../../parts/page.tsx'
import { formsOf } from './forms.ts'

/** Longer bodies are for a command, which reads them from a file. */
const mostCharacters = 100_000

/**
 * Makes a request of the sandbox once more, as whoever looks. What was sent is not kept, so a body is written anew; where
 * an id was none, or files were sent, there is nothing to ask again.
 */
export function AskAgain({ of }: { readonly of: Item<'listRequests'> }) {
  const { corridor } = useSession()
  const [text, setText] = useState('{}')
  const [answer, setAnswer] = useState<{ readonly body: unknown }>()
  const hintId = useId()
  const { method, path, takesBody, takesFile } = formsOf(of)
  if (takesFile) return null
  if (path.includes('{')) {
    return (
      <Part title={t('Ask again')}>
        <p className="muted">
          {t('An id in the path was not yours and is not stored, so you cannot repeat this request.')}
        </p>
      </Part>
    )
  }
  const body = takesBody ? parsed(text) : undefined
  const isWrong = takesBody && body === undefined
  const name = `${method} ${of.path}`
  return (
    <Part title={t('Ask again')}>
      {takesBody && (
        <div className="fields wide-fields">
          <label>
            <span>{t('Body, as JSON; the sent body is not stored')}</span>
            <textarea
              name="body"
              value={text}
              rows={6}
              maxLength={mostCharacters}
              spellCheck={false}
              className="json"
              aria-invalid={isWrong}
              aria-describedby={hintId}
              onChange={({ target }) => setText(target.value)}
            />
          </label>
          <p id={hintId} className="muted" role="status">
            {isWrong && t('This is not valid JSON.')}
          </p>
        </div>
      )}
      <div className="acts part">
        <Act
          isDisabled={isWrong}
          confirm={method === 'GET' ? undefined : t('Yes, send {name} again', { name })}
          run={() => corridor.request({ method, path, ...(takesBody ? { body } : {}) })}
          then={(given) => setAnswer({ body: given })}
        >
          {t('Repeat in the sandbox')}
        </Act>
      </div>
      {answer && (
        <div role="status">
          {answer.body === undefined ? (
            <p>{t('Done; the response has no body.')}</p>
          ) : (
            <>
              <p>{rich('Current response of {name}:', { name: <code>{name}</code> })}</p>
              <Known of={answer.body} />
            </>
          )}
        </div>
      )}
    </Part>
  )
}

/** Undefined: it is no JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}
