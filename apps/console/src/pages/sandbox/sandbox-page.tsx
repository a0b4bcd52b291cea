import { Go } from '../../app/places.tsx'
import { useSession } from '../../app/session.tsx'
import { t } from '../../language/t.ts'
import { NoPage } from '../../parts/no-page.tsx'
import { PageHead, Part } from '../../parts/page.tsx'
import { words } from '../../words.ts'
import { Clock } from './clock.tsx'
import { FaultsHere } from './faults-here.tsx'
import { InboxHere } from './inbox.tsx'
import { MoneyIn } from './money-in.tsx'
import { Scenarios } from './scenarios.tsx'
import { WorldHere } from './world-here.tsx'

/** All that the sandbox can be told, each part also on a page of its own. */
export function SandboxPage() {
  const { environment } = useSession()
  if (environment !== 'sandbox') return <NoPage />
  return (
    <>
      <PageHead title={words.pages.sandbox}>
        <Go to="sandbox/clock">{t('Clock')}</Go>
        <Go to="sandbox/inbox">{words.pages.inbox}</Go>
        <Go to="sandbox/scenarios">{t('Scenarios')}</Go>
        <Go to="sandbox/money">{words.pages.moneyIn}</Go>
        <Go to="sandbox/faults">{words.pages.faults}</Go>
        <Go to="sandbox/worlds">{words.pages.worlds}</Go>
      </PageHead>
      <Part title={t('Clock')}>
        <Clock />
      </Part>
      <Part title={words.pages.inbox}>
        <InboxHere />
      </Part>
      <Part title={t('Scenarios')}>
        <Scenarios />
      </Part>
      <Part title={words.pages.moneyIn}>
        <MoneyIn />
      </Part>
      <Part title={words.pages.faults}>
        <FaultsHere />
      </Part>
      <Part title={t('World')}>
        <WorldHere />
      </Part>
    </>
  )
}
