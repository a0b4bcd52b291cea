import { useSession } from '../../app/session.tsx'
import { t } from '../../language/t.ts'
import { Act } from '../../parts/act.tsx'
import type { Fault } from './fault-words.ts'

/** Ends a fault: in a row the name of the button says which. */
export function StopFault({ of: { id, kind } }: { readonly of: Fault }) {
  const { corridor } = useSession()
  return (
    <Act name={t('Stop {kind}', { kind })} run={() => corridor.sandbox.faults.delete(id)}>
      {t('Stop')}
    </Act>
  )
}
