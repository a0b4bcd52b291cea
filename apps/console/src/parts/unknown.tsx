import { Corridor } from '@corridor/sdk/index.ts'
import { t } from '../language/t.ts'
import { shortOf } from './facts.tsx'
import { PageHead } from './page.tsx'
import { Trouble } from './states.tsx'

interface UnknownProps {
  /** That was asked for. */
  readonly id: string
  readonly error: unknown
  readonly onRetry: () => void
}

/** The page of an id that cannot be shown: titled as any other, so that no window keeps the name of the page before. */
export function Unknown({ id, error, onRetry }: UnknownProps) {
  const isMissing = error instanceof Corridor.Error && error.status === 404
  return (
    <>
      <PageHead title={isMissing ? t('Not found: {id}', { id: shortOf(id) }) : shortOf(id)} />
      <Trouble error={error} missing={id} onRetry={onRetry} />
    </>
  )
}
