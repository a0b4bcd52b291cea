import { t } from '../../language/t.ts'
import { Copy } from '../../parts/copy.tsx'
import { words } from '../../words.ts'

/** What a platform signs its requests with, as it is shown once. */
export interface Made {
  readonly id: string
  readonly clientId: string
  readonly clientSecret?: string
}

export function Credential({ of, name }: { readonly of: Made; readonly name: string }) {
  if (of.clientSecret === undefined) return null
  const lines = () => `CORRIDOR_CLIENT_ID=${of.clientId}\nCORRIDOR_CLIENT_SECRET=${of.clientSecret}`
  return (
    <div className="news" role="status">
      <p>
        {t(
          'The credential of {name}. The secret is shown only once. Send it to the platform over a secure channel.',
          { name },
        )}
      </p>
      <p>
        <code>{of.clientId}</code>
      </p>
      <p>
        <code>{of.clientSecret}</code>
      </p>
      <Copy name={words.envFile} text={lines} />
    </div>
  )
}
