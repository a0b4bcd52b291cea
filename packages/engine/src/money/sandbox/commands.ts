import { type Instant, toTimestamp } from '@corridor/kernel'
import type { Engine } from '../../mechanisms/feature/engine.ts'
import type { Scope } from '../../vocabulary/scope.ts'
import type { SandboxClock, SandboxUpcoming } from './contract.ts'

/** What time it is for the platform, and how far that is ahead of everybody else. */
export async function readClock(engine: Engine, scope: Scope): Promise<SandboxClock> {
  return renderClock(engine, await engine.clock.now(scope))
}

const upcomingLimit = 50
/** Ids of the API. Codes of invitations are none: whoever has one may claim it. */
const subjectId = /^[A-Z][A-Za-z]+:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** What the platform's clock comes to next, and when. */
export async function readUpcoming(engine: Engine, scope: Scope): Promise<SandboxUpcoming> {
  const found = await engine.jobs.upcoming(scope, upcomingLimit + 1)
  return {
    upcoming: found.slice(0, upcomingLimit).map(({ kind, subject, dueAt }) => ({
      kind,
      ...(subject !== null && subjectId.test(subject) ? { subjectId: subject } : {}),
      dueAt: toTimestamp(dueAt),
    })),
    hasMore: found.length > upcomingLimit,
  }
}

/**
 * Moves the platform's clock. What falls due on the way happens first, in order and each at its own time
 * (architecture, section 8).
 */
export async function advanceClock(
  engine: Engine,
  scope: Scope,
  { seconds }: { readonly seconds: number },
): Promise<SandboxClock> {
  const { now } = await engine.jobs.advance(engine, scope, seconds * 1000)
  return renderClock(engine, now)
}

function renderClock(engine: Engine, now: Instant): SandboxClock {
  const aheadMs = Math.max(0, now - engine.world.now())
  return { now: toTimestamp(now), offsetSeconds: Math.round(aheadMs / 1000) }
}
