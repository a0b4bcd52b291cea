import { Go } from '../app/places.tsx'
import { useSessions } from '../app/session.tsx'
import { t } from '../language/t.ts'
import { words } from '../words.ts'
import { PageHead } from './page.tsx'

/** Where an address names no page, or one of the sandbox in production. */
export function NoPage() {
  const { state, session } = useSessions()
  const isOperator = state.kind === 'IN' && state.operator !== undefined && session === undefined
  return (
    <>
      <PageHead title={words.states.noPage} brief={t('No such page')} />
      <p>
        <Go to="">{isOperator ? words.operator.overview : words.pages.home}</Go>
      </p>
    </>
  )
}
