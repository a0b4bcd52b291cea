import type { Corridor } from './corridor.ts'
import type { Answer, Body } from './operation-types.ts'

export type ClockMoved = Answer<'advanceSandboxClock'>
export type ClockWay = Body<'advanceSandboxClock'>

/** As long as one request may take: the server answers early after 45 s. */
const timeoutMs = 600_000
/** As many as one answer lists. */
const mostShown = 50

/**
 * Moves the clock of the sandbox the whole way: where an answer comes early, because endpoints are slow, the rest is asked for until the
 * clock is there. Tells all that happened on the way as one move. `isThere` is false only where it moves no more, as beyond the
 * year 9900.
 *
 * The way counts from where the clock stood when this was called, and is gone at least. Each answer of the server is all of one
 * move: two who move one clock at once move it by both ways where each is answered once. Where an answer came early nobody knows
 * who moved it how far, so the rest is what is left of the way from here, and shorter by what somebody else moved it meanwhile.
 */
export async function moveClock({ sandbox }: Corridor, way: ClockWay): Promise<ClockMoved> {
  const from = await sandbox.clock.get()
  let all = await sandbox.clock.advance(way, { timeoutMs })
  for (let before = from.offsetSeconds; !all.isThere; ) {
    const next = await sandbox.clock.advance(restOf(way, from, all), { timeoutMs })
    all = together(all, next)
    if (next.ranCount === 0 && next.offsetSeconds === before) break
    before = next.offsetSeconds
  }
  return all
}

type Clock = Pick<ClockMoved, 'now' | 'offsetSeconds'>

/** What is still to go of it. The clock itself says how far it is: it has gone on by the real time that the calls took as well. */
function restOf(
  { seconds, until }: ClockWay,
  from: Clock,
  here: Clock & Pick<ClockMoved, 'ranCount'>,
): ClockWay {
  // What falls due at the moment that was gone to belongs to it. Where nothing has happened, somebody else has moved the clock.
  if (until === 'NEXT' && here.ranCount > 0 && here.offsetSeconds > from.offsetSeconds) return { seconds: 0 }
  const gone = Math.floor((Date.parse(here.now) - Date.parse(from.now)) / 1_000)
  return {
    ...(seconds === undefined ? {} : { seconds: Math.max(0, seconds - gone) }),
    ...(until === undefined ? {} : { until }),
  }
}

function together(first: ClockMoved, next: ClockMoved): ClockMoved {
  const counted = new Map(first.counts.map(({ kind, count }) => [kind, count]))
  for (const { kind, count } of next.counts) counted.set(kind, (counted.get(kind) ?? 0) + count)
  return {
    ...next,
    ran: [...first.ran, ...next.ran].slice(0, mostShown),
    ranCount: first.ranCount + next.ranCount,
    counts: [...counted].map(([kind, count]) => ({ kind, count })),
  }
}
