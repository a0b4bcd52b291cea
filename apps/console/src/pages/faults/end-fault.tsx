import { useSession } from '../../app/session.tsx'
import { t } from '../../language/t.ts'
import { Act } from '../../parts/act.tsx'
import { words } from '../../words.ts'
import { type Fault, useIsOver, useLeftWords } from './fault-words.ts'

interface EndFaultProps {
  readonly of: Fault
  readonly then?: () => void
}

/** Ends a fault, as long as it is not over: in a row the name of the button says which. */
export function EndFault({ of, then }: EndFaultProps) {
  const { corridor } = useSession()
  if (useIsOver(of)) return null
  return (
    <Act
      name={t('End {kind}', { kind: of.kind })}
      run={() => corridor.sandbox.faults.delete(of.id)}
      {...(then ? { then } : {})}
    >
      {t('End')}
    </Act>
  )
}

/** How much is left of a fault. */
export function LeftOf({ of }: { readonly of: Fault }) {
  const left = useLeftWords(of)
  return useIsOver(of) ? words.faults.noneLeft : left
}
