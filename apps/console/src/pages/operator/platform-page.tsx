import type { Corridor, Item } from '@corridor/sdk/index.ts'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { corridorOf } from '../../app/console-api.ts'
import { usePageId } from '../../app/page-id.ts'
import { Go, useView } from '../../app/places.tsx'
import { rich, t } from '../../language/t.ts'
import { Act } from '../../parts/act.tsx'
import { Facts, Moment } from '../../parts/facts.tsx'
import { LastUsed, lastUsed } from '../../parts/last-used.tsx'
import { PageHead, Part } from '../../parts/page.tsx'
import { Rows } from '../../parts/rows.tsx'
import { Loading, Nothing, Trouble } from '../../parts/states.tsx'
import { words } from '../../words.ts'
import { MomentOf } from './book-time.tsx'
import { OperatorCopyAs } from './copy-as.tsx'
import { Credential, type Made } from './credential.tsx'
import { Done } from './done.tsx'
import { type Book, isProposed, type Platform, placeOfBook, useOperator } from './operator-api.ts'

type Token = Item<'listTokens'>

/** One platform in one environment: what it is, and who may ask in its name. */
export function PlatformPage() {
  const id = usePageId()
  const [view] = useView()
  const { page } = useOperator()
  const platforms = useQuery({
    queryKey: ['operator', 'platforms'],
    queryFn: () => page<Platform>('platforms'),
  })
  if (platforms.isPending) return <Loading />
  if (!platforms.data) return <Trouble error={platforms.error} onRetry={() => void platforms.refetch()} />
  const environment = view.get('environment') ?? 'SANDBOX'
  const platform = platforms.data.data.find((each) => each.id === id && each.environment === environment)
  if (!platform) return <Nothing title={words.states.missing(id, environment)} />
  const book: Book = { platformId: id, environment: platform.environment }
  return (
    <>
      <PageHead title={`${platform.name} ${environment}`}>
        {/* No call reads one alone. */}
        <OperatorCopyAs path="platforms" cli="corridor operator platforms list" body={platform} />
      </PageHead>
      <p className="muted trail">
        <Go to="platforms">{t('Platforms')}</Go> / <span className="id">{id}</span>
      </p>
      <Facts
        of={[
          [t('Regulated'), platform.isRegulated ? t('yes') : t('no')],
          [t('Since'), <Moment key="m" at={platform.createdAt} />],
          [
            t('Its pages'),
            <Go key="g" to={placeOfBook(book)}>
              {t('Look into {name}', { name: platform.name })}
            </Go>,
          ],
        ]}
      />
      <Part title={t('Tokens')}>
        <Tokens book={book} name={`${platform.name} ${environment}`} />
      </Part>
      <Part title={t('Key that signs its webhooks')}>
        <WebhookKey book={book} name={`${platform.name} ${environment}`} />
      </Part>
      <Part title={t('Settings')}>
        {Object.keys(platform.settings).length === 0 ? (
          <p className="muted">{t("No operator settings. The platform's own settings are on its pages.")}</p>
        ) : (
          <pre>{JSON.stringify(platform.settings, undefined, 2)}</pre>
        )}
      </Part>
    </>
  )
}

interface Rotated {
  readonly keyId: string
  readonly signsFrom: string
}

/** Its endpoint checks with it what it is sent; only administrators replace it. */
function WebhookKey({ book, name }: { readonly book: Book; readonly name: string }) {
  const { post } = useOperator()
  const corridor = useCorridorOf(book)
  const [answer, setAnswer] = useState<unknown>()
  const key = useQuery({
    queryKey: ['operator', 'webhook-key', book.platformId, book.environment],
    queryFn: () => corridor.webhooks.publicKey.get(),
  })
  if (key.isPending) return <Loading />
  if (!key.data) return <Trouble error={key.error} onRetry={() => void key.refetch()} />
  const made = answer === undefined || isProposed(answer) ? undefined : (answer as Rotated)
  return (
    <>
      <p>{rich('{key} signs now.', { key: <code>{key.data.keyId}</code> })}</p>
      <p className="muted">
        {t(
          'Corridor publishes the new key at once and signs with it ten minutes later, so that endpoints can fetch it. The current key stays published for thirty more days. You cannot undo this.',
        )}
      </p>
      <div className="acts part">
        <Act
          of={book}
          confirm={t('Replace the key that signs the webhooks of {name}', { name })}
          run={() => post<Rotated>('webhook-keys', book)}
          then={setAnswer}
        >
          {t('Replace the key')}
        </Act>
      </div>
      {made && (
        <p className="news" role="status">
          {rich('{key} is published, and will sign from <from></from>.', {
            key: <code>{made.keyId}</code>,
            from: () => <MomentOf key="from" book={book} at={made.signsFrom} />,
          })}
        </p>
      )}
      <Done outcome={isProposed(answer) ? 'PROPOSED' : undefined} />
    </>
  )
}

/** The API of a platform, as the operator may read it there. */
function useCorridorOf({ platformId, environment }: Book): Corridor {
  return useMemo(
    () => corridorOf({ platform: platformId, environment: environment.toLowerCase() }, () => {}),
    [platformId, environment],
  )
}

/** As the settings of a platform call them. */
const permissions = [
  ['VIEW', t('VIEW: look')],
  ['TRANSACT', t('TRANSACT: pay')],
  ['MANAGE', t('MANAGE: change settings')],
] as const

function Tokens({ book, name }: { readonly book: Book; readonly name: string }) {
  const { post, delete: remove } = useOperator()
  const { platformId, environment } = book
  const corridor = useCorridorOf(book)
  const [tokenName, setTokenName] = useState('')
  const [chosen, setChosen] = useState<readonly string[]>(['VIEW'])
  const [made, setMade] = useState<Made>()
  const place = `platforms/${platformId}/tokens`
  const query = { environment }
  const called = tokenName.trim()
  return (
    <>
      <div className="fields">
        <label>
          <span>{t('Name of a new token')}</span>
          <input value={tokenName} maxLength={100} onChange={(event) => setTokenName(event.target.value)} />
        </label>
        <fieldset>
          <legend className="hidden">{t('What it may do')}</legend>
          {permissions.map(([permission, may]) => (
            <label key={permission} className="check">
              <input
                type="checkbox"
                checked={chosen.includes(permission)}
                onChange={(event) =>
                  setChosen(
                    permissions
                      .map(([each]) => each)
                      .filter((each) => (each === permission ? event.target.checked : chosen.includes(each))),
                  )
                }
              />
              {may}
            </label>
          ))}
        </fieldset>
        <Act
          isDisabled={called === '' || chosen.length === 0}
          of={book}
          asks={t('Give {name} a token that may {chosen}', { name, chosen: chosen.join(', ') })}
          run={() => post<Made>(place, { name: called, permissions: chosen }, query)}
          then={(token) => {
            setMade(token)
            setTokenName('')
          }}
        >
          {t('Issue a token')}
        </Act>
      </div>
      {made && <Credential of={made} name={name} />}
      <Rows<Token>
        label={t('Tokens')}
        list={['operator', 'tokens', platformId, environment]}
        read={(cursor) => corridor.tokens.list({ limit: 100, ...(cursor ? { cursor } : {}) } as never)}
        columns={[
          { title: t('Name'), cell: (token) => token.name },
          { title: t('May'), isWide: true, cell: (token) => token.permissions.join(' ') },
          {
            title: lastUsed,
            isWide: true,
            width: 'moment',
            cell: ({ lastUsedAt }) => <LastUsed at={lastUsedAt} />,
          },
          {
            title: t('Act'),
            cell: (token) => (
              <Act
                of={book}
                confirm={t('Revoke {token} of {name} for good', { token: token.name, name })}
                run={() => remove(`${place}/${encodeURIComponent(token.id)}`, query)}
              >
                {t('Revoke')}
              </Act>
            ),
          },
        ]}
        keyOf={({ id }) => id}
        to={() => undefined}
        empty={<Nothing title={t('No tokens: this platform cannot make requests.')} />}
      />
    </>
  )
}
