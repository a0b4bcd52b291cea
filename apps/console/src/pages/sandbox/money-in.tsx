import { useId } from 'react'
import { useView } from '../../app/places.tsx'
import { useSession } from '../../app/session.tsx'
import { t } from '../../language/t.ts'
import { NoPage } from '../../parts/no-page.tsx'
import { PageHead } from '../../parts/page.tsx'
import { words } from '../../words.ts'
import { AccountIn } from './account-in.tsx'
import { QuoteIn } from './quote-in.tsx'
import { UmaIn } from './uma-in.tsx'

/** What comes from outside: into an account, for a quote that waits for it, or over UMA. */
export function MoneyInPage() {
  const { environment } = useSession()
  if (environment !== 'sandbox') return <NoPage />
  return (
    <>
      <PageHead title={words.pages.moneyIn} />
      <MoneyIn />
    </>
  )
}

const kinds = [
  ['account', t('Bank or chain deposit')],
  ['quote', t('For a quote')],
  ['uma', t('UMA')],
] as const

/** The address says which kind it is, and for whom: a page of an account or a quote leads here with both. */
export function MoneyIn() {
  const [view, change] = useView()
  const group = useId()
  const by = kinds.find(([kind]) => kind === view.get('by'))?.[0] ?? 'account'
  const into = { id: view.get('for') ?? '', onChange: (id: string) => change({ for: id || undefined }) }
  return (
    <>
      <fieldset className="kinds">
        <legend className="hidden">{t('What arrives')}</legend>
        {kinds.map(([kind, name]) => (
          <label key={kind} className="check">
            <input
              type="radio"
              name={group}
              checked={kind === by}
              onChange={() => change({ by: kind, for: undefined })}
            />
            <span>{name}</span>
          </label>
        ))}
      </fieldset>
      {by === 'account' && <AccountIn {...into} />}
      {by === 'quote' && <QuoteIn {...into} />}
      {by === 'uma' && <UmaIn {...into} />}
    </>
  )
}
