import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { rich, t } from '../language/t.ts'
import { Moment } from '../parts/facts.tsx'
import { Trouble } from '../parts/states.tsx'
import { words } from '../words.ts'
import { usePlaces } from './places.tsx'
import type { Session } from './session.tsx'

/** What is done by its name from anywhere, as against what a page offers. */
export interface Command {
  readonly name: string
  readonly run: () => void
}

export interface Commands {
  readonly ofSandbox: readonly Command[]
  /** What came of the last one; it stays until somebody puts it away or goes on. */
  readonly told: ReactNode
  forget(): void
}

const steps = [
  [t('Clock: forward 1 minute'), { seconds: 60 }],
  [t('Clock: forward 6 minutes'), { seconds: 360 }],
  [t('Clock: forward 1 hour'), { seconds: 3_600 }],
  [t('Clock: forward 1 day'), { seconds: 86_400 }],
  [t('Clock: to the next event'), { until: 'NEXT' }],
  [t('Clock: run until nothing is due'), { until: 'QUIET' }],
] as const

/** The clock and the scenarios of a sandbox. They are loaded when somebody looks for them, and none is there in production. */
export function useCommands(session: Session | undefined, isWanted: boolean): Commands {
  const queries = useQueryClient()
  const { go } = usePlaces()
  const [told, setTold] = useState<ReactNode>()
  const hasCommands = session?.environment === 'sandbox'
  const scenarios = useQuery({
    queryKey: ['scenarios'],
    queryFn: async () => await import('../pages/sandbox/scenarios.tsx'),
    enabled: hasCommands && isWanted,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const attempt = (run: () => Promise<ReactNode>) => () => {
    setTold(undefined)
    run()
      .then(
        (said) => setTold(said && <p role="status">{said}</p>),
        (error: unknown) => setTold(<Trouble isAnswer error={error} />),
      )
      .then(() => queries.invalidateQueries())
  }
  const clock = steps.map(([name, by]) => ({
    name,
    run: attempt(async () => {
      const { now, ranCount } = await session!.corridor.sandbox.clock.advance(by)
      return rich(
        'The clock was moved to <at></at>: {count, plural, =0 {nothing was due} one {one step ran} other {{count} steps ran}}.',
        { at: () => <Moment key="at" at={now} />, count: ranCount },
      )
    }),
  }))
  const ran = (scenarios.data?.runs ?? []).map(({ name, run }) => ({
    name: t('Run: {scenario}', { scenario: name }),
    run: attempt(async () => {
      go(await run(session!.corridor))
      return undefined
    }),
  }))
  return { ofSandbox: hasCommands ? [...clock, ...ran] : [], told, forget: () => setTold(undefined) }
}

/** Over the page, with what puts it away. */
export function Told({ of: { told, forget } }: { readonly of: Commands }) {
  if (!told) return null
  return (
    <div className="told">
      {told}
      <button type="button" className="quiet" onClick={forget}>
        {words.view.done}
      </button>
    </div>
  )
}
