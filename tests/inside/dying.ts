import type { Decision } from '@corridor/engine/vocabulary/decision.ts'
import type { SilentScope } from '@corridor/engine/vocabulary/scope.ts'
import type { TestServer } from '@corridor/testkit/index.ts'

/** Runs `act` in a process that dies with its next commit: before it, or after it and before anybody is told. */
export async function dying<T>(
  { engine }: TestServer,
  when: 'before' | 'after',
  act: () => Promise<T>,
): Promise<T> {
  const { applier } = engine
  const apply = async (scope: SilentScope, decision: Decision) => {
    if (when === 'after') await applier.apply(scope, decision)
    throw new Error('the process died')
  }
  Object.assign(engine, { applier: { ...applier, apply } })
  try {
    return await act()
  } finally {
    Object.assign(engine, { applier })
  }
}
