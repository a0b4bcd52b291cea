import { Corridor } from '@corridor/sdk/index.ts'
import { t } from '../language/t.ts'
import { shortOf } from './facts.tsx'
import { PageHead } from './page.tsx'
import { Trouble } from './states.tsx'

interface UnknownProps {
  /** That was asked for. */
  readonly id: string
  /** What it is, where its id does not say so itself. */
  readonly kind?: string
  readonly error: unknown
  readonly onRetry: () => void
}

/** The page of an id that cannot be shown: titled as any other, so that no window keeps the name of the page before. */
export function Unknown({ id, kind, error, onRetry }: UnknownProps) {
  const isMissing = error instanceof Corridor.Error && error.status === 404
  const called = kind === undefined || id.includes(':') ? shortOf(id) : `${kind} ${endOf(id)}`
  return (
    <>
      <PageHead title={isMissing ? t('Not found: {id}', { id: called }) : called} />
      <Trouble error={error} missing={id} onRetry={onRetry} />
    </>
  )
}

/** Ids of one moment begin alike; a short one is told whole. */
const endOf = (id: string) => (id.length > 12 ? `…${id.slice(-6)}` : id)
