import { Corridor } from '@corridor/sdk/index.ts'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useInstallationAudit } from '../pages/operator/installation-audit.ts'
import { Icon } from '../parts/icon.tsx'
import { words } from '../words.ts'
import { Go } from './places.tsx'

/** What the last audit said, on every page: a word in the header, and a bar over the page where money does not add up. */
export interface Soundness {
  readonly isSound: boolean
  readonly problems: number
  /** Where the ledger adds up, and who did what is not told any more as it was written. */
  readonly isLogAlone?: boolean
  /** The page that says what was found. */
  readonly to: string
}

const everyMs = 60_000
/** While the first audit runs. */
const soonMs = 2_000
/** That of the whole installation reads all there is, and is computed anew each time. */
const everyOfAllMs = 10 * 60_000

/** Of the platform that is looked at. Undefined where it is not known, or whoever looks may not know. */
export function useSoundness(corridor: Corridor): Soundness | undefined {
  const audit = useQuery({
    queryKey: ['ledger audit'],
    queryFn: () => corridor.ledger.audit.get(),
    refetchInterval: ({ state: { data, error } }) =>
      mayNotKnow(error) ? false : data?.status === 'RUNNING' ? soonMs : everyMs,
  })
  if (!audit.data || audit.data.status === 'RUNNING') return undefined
  const { status, problems } = audit.data
  return { isSound: status === 'SOUND', problems: problems.length, to: 'ledger' }
}

function mayNotKnow(error: unknown): boolean {
  return error instanceof Corridor.Error && error.status === 403
}

/** Of the whole installation, for operators: when they come, when they ask, and now and then. */
export function useSoundnessOfAll(): Soundness | undefined {
  const { data, refetch } = useInstallationAudit()
  useEffect(() => {
    void refetch()
    const asking = setInterval(() => void refetch(), everyOfAllMs)
    return () => clearInterval(asking)
  }, [refetch])
  if (!data) return undefined
  const isLogAlone = data.problems.every(({ rule }) => rule === 'AUDIT_LOG_BROKEN')
  return { isSound: data.sound, problems: data.problems.length, isLogAlone, to: '' }
}

export function SoundnessWord({ of }: { readonly of: Soundness | undefined }) {
  if (!of) return null
  return (
    <Go to={of.to} className="verdict">
      <Icon name={of.isSound ? 'done' : 'failed'} />{' '}
      {of.isSound ? words.ledger.header.sound : words.ledger.header.unsound}
    </Go>
  )
}

/** What to do comes before what is looked at: nobody should move money before they have read it. */
export function SoundnessBar({ of }: { readonly of: Soundness | undefined }) {
  if (!of || of.isSound) return null
  return (
    <p className="unsound" role="alert">
      <Icon name="failed" /> <strong>{of.isLogAlone ? words.ledger.barOfLog : words.ledger.bar}</strong>{' '}
      <Go to={of.to}>{words.ledger.found(of.problems)}</Go>{' '}
      <a href="/docs/guides/ledger-does-not-balance">{words.ledger.runbook}</a>
    </p>
  )
}
