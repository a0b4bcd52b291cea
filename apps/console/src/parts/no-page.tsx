import { Go } from '../app/places.tsx'
import { t } from '../language/t.ts'
import { words } from '../words.ts'
import { PageHead } from './page.tsx'

/** Where an address names no page, or one of the sandbox in production. */
export function NoPage() {
  return (
    <>
      <PageHead title={words.states.noPage} brief={t('No such page')} />
      <p>
        <Go to="">{words.pages.home}</Go>
      </p>
    </>
  )
}
