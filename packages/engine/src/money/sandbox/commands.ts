import { failed, type Instant, ok, type Result, toTimestamp } from '@corridor/kernel'
import type { Engine } from '../../mechanisms/feature/engine.ts'
import { type Failure, failFields } from '../../vocabulary/errors.ts'
import type { Scope } from '../../vocabulary/scope.ts'
import type {
  SandboxClock,
  SandboxClockAdvanceRequest,
  SandboxClockMoved,
  SandboxUpcoming,
} from './contract.ts'

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
    upcoming: found.slice(0, upcomingLimit).map(renderDue),
    hasMore: found.length > upcomingLimit,
  }
}

type Due = Awaited<ReturnType<Engine['jobs']['upcoming']>>[number]

function renderDue({ kind, subject, dueAt }: Due): SandboxUpcoming['upcoming'][number] {
  const isId = subject !== null && subjectId.test(subject)
  return { kind, ...(isId ? { subjectId: subject } : {}), dueAt: toTimestamp(dueAt) }
}

/** As far as one may go at a time, and with `until` where nobody says how far. */
const longestWaySeconds = 31_622_400
/** Times after it are ever further from what four digits of a year can tell: expiries and retries come later still. */
const endOfTime = Date.UTC(9900, 0, 1)

/**
 * Moves the platform's clock, by `seconds` or to what `until` says. What falls due on the way happens first, in order
 * and each at its own time (architecture, section 8). INVALID_INPUT where it is not said how far, or too far.
 */
export async function advanceClock(
  engine: Engine,
  scope: Scope,
  { seconds, until }: SandboxClockAdvanceRequest,
): Promise<Result<SandboxClockMoved, Failure>> {
  if (seconds === undefined && !until) {
    return failed(failFields([{ field: 'seconds', message: 'is required if until is absent' }]))
  }
  const left = Math.floor((endOfTime - (await engine.clock.now(scope))) / 1000)
  if (seconds !== undefined && seconds > Math.max(0, left)) {
    return failed(failFields([{ field: 'seconds', message: 'goes beyond the year 9900' }]))
  }
  const ms = Math.min(seconds ?? longestWaySeconds, Math.max(0, left)) * 1000
  const moved = await engine.jobs.advance(engine, scope, {
    ms,
    notAfter: endOfTime,
    ...(until ? { until } : {}),
  })
  const { now, ran, ranCount, counts, isThere } = moved
  return ok({ ...renderClock(engine, now), ran: ran.map(renderDue), ranCount, counts: [...counts], isThere })
}

function renderClock(engine: Engine, now: Instant): SandboxClock {
  const aheadMs = Math.max(0, now - engine.world.now())
  return {
    now: toTimestamp(now),
    offsetSeconds: Math.round(aheadMs / 1000),
    isFrozen: engine.world.isFrozen === true,
  }
}
