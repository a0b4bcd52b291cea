import { useSession } from '../../app/session.tsx'
import { t } from '../../language/t.ts'
import { Act } from '../../parts/act.tsx'
import { words } from '../../words.ts'
import { type Fault, useIsOver, useLeftWords } from './fault-words.ts'

/** Ends a fault, as long as it is not over: in a row the name of the button says which. */
export function StopFault({ of }: { readonly of: Fault }) {
  const { corridor } = useSession()
  if (useIsOver(of)) return null
  return (
    <Act name={t('Stop {kind}', { kind: of.kind })} run={() => corridor.sandbox.faults.delete(of.id)}>
      {t('Stop')}
    </Act>
  )
}

interface EndFaultProps {
  readonly of: Fault
  readonly then: () => void
}

/** The same on the page of one. */
export function EndFault({ of, then }: EndFaultProps) {
  const { corridor } = useSession()
  if (useIsOver(of)) return null
  return (
    <Act run={() => corridor.sandbox.faults.delete(of.id)} then={then}>
      {words.faults.end}
    </Act>
  )
}

/** How much is left of a fault. */
export function LeftOf({ of }: { readonly of: Fault }) {
  return useLeftWords(of)
}
