import { failed, ok, type Result, stateAfter, statesBefore, toTimestamp } from '@corridor/kernel'
import { commit } from '../../mechanisms/db/apply.ts'
import type { Engine } from '../../mechanisms/feature/engine.ts'
import { type PageQuery, readPage, toPage } from '../../mechanisms/lists/pages.ts'
import { type Failure, fail } from '../../vocabulary/errors.ts'
import type { Reply } from '../../vocabulary/operation.ts'
import { installationBook, type Scope } from '../../vocabulary/scope.ts'
import type { HeldPayment, LiftPauseRequest, PausePayoutsRequest, PayoutPause } from './contract.ts'
import { pauseMachine } from './machine.ts'
import { longestWaitMs, lookAgainMs } from './rules.ts'
import {
  countHeldBy,
  findSamePause,
  type HandOver,
  type HeldRow,
  isPlatform,
  listHandOvers,
  listHeldBy,
  loadPause,
  type PauseRow,
  pauseList,
  sealedLiftReasons,
  sealedPauseReasons,
} from './store.ts'

/**
 * Pauses payouts, and answers once nothing that does not know it can be handed over any more, or five seconds later with how
 * much may still be. REFERENCE_NOT_FOUND for a platform that is not in this environment; CONFLICT where the same is paused.
 */
export async function pausePayouts(
  engine: Engine,
  { recording: _, ...scope }: Scope,
  request: PausePayoutsRequest,
): Promise<Result<Reply, Failure>> {
  const { database, world, keys } = engine
  const { environment: ofEnvironment, platformId: ofPlatformId = null, rail: ofRail = null } = request
  if (ofPlatformId !== null && !(await isPlatform(database, ofPlatformId, ofEnvironment))) {
    return failed(fail('REFERENCE_NOT_FOUND', { resourceType: 'Platform', id: ofPlatformId }))
  }
  const id = world.id('Pause')
  const at = toTimestamp(world.now())
  const [status] = pauseMachine.initial
  const row = {
    id,
    status,
    of_environment: ofEnvironment,
    of_platform_id: ofPlatformId,
    of_rail: ofRail,
    reason_code: request.reasonCode,
    reason: keys.seal(installationBook, sealedPauseReasons, id, request.reason),
    paused_by: scope.actor.id,
    created_at: at,
    updated_at: at,
  }
  // Its answer is not on record before it is true: who asks again meanwhile is told that the same is paused.
  const made = await commit(engine.applier, { ...scope, ...installationBook }, async () => {
    const same = await findSamePause(database, { ofEnvironment, ofPlatformId, ofRail })
    if (same) return failed(fail('CONFLICT', { reason: 'ALREADY_PAUSED', id: same }))
    return ok({
      inserts: [{ table: 'payout_pauses', row }],
      unique: { payout_pauses_once: 'stale' },
      result: () => ({ status: 201, body: { id } }),
    })
  })
  if (!made.ok) return made
  const pause = await loadPause(database, id)
  if (!pause) return failed(unknown(id))
  const handingOver = await waitForHandOvers(engine, pause)
  world.log.warn({ pauseId: id, handingOver, by: scope.actor.id }, 'payouts were paused')
  return ok({ status: 201, body: await render(engine, pause, handingOver) })
}

/**
 * Waits until each hand-over that may have begun without knowing of the pause has its outcome, or is known to have none. How
 * many have not, when the wait is over.
 */
async function waitForHandOvers({ database, world }: Engine, pause: PauseRow): Promise<number> {
  const until = world.now() + longestWaitMs
  let begun = await listHandOvers(database, pause)
  while (begun.length > 0 && world.now() < until) {
    await world.sleep(lookAgainMs)
    begun = stillIn(begun, await listHandOvers(database, pause))
  }
  return begun.length
}

function stillIn(begun: readonly HandOver[], now: readonly HandOver[]): HandOver[] {
  const claims = new Set(now.map(({ claim }) => claim))
  return begun.filter(({ claim }) => claims.has(claim))
}

/** Lifts a pause, with why, if that is said. What waits is found by its sweep (payments/held.ts). */
export async function liftPause(
  engine: Engine,
  scope: Scope,
  id: string,
  { reason }: LiftPauseRequest = {},
): Promise<Result<Reply, Failure>> {
  const { database, world, keys } = engine
  const liftReason = reason === undefined ? null : keys.seal(installationBook, sealedLiftReasons, id, reason)
  const now = world.now()
  const at = toTimestamp(now)
  const lifted = await commit(engine.applier, { ...scope, ...installationBook }, async () => {
    const pause = await loadPause(database, id)
    if (!pause) return failed(unknown(id))
    if (pause.status !== 'IN_FORCE') return failed(fail('CONFLICT', { reason: pause.status, id }))
    const status = stateAfter(pauseMachine, 'lift')
    const after = { ...pause, status, liftedBy: scope.actor.id, liftedAt: now, liftReason }
    const body = await render(engine, after)
    return ok({
      updates: [
        {
          table: 'payout_pauses',
          id,
          version: pause.version,
          from: statesBefore(pauseMachine, 'lift'),
          set: {
            status,
            lifted_by: scope.actor.id,
            lifted_at: at,
            lift_reason: liftReason,
            updated_at: at,
          },
        },
      ],
      result: () => ({ status: 200, body }),
    })
  })
  if (lifted.ok) {
    world.log.warn({ pauseId: id, by: scope.actor.id }, 'a pause of payouts was lifted')
    engine.signals.jobs.notify()
  }
  return lifted
}

/** Whether it can be lifted at all: what is refused in any case is nothing that somebody could approve. */
export async function isInForce({ database }: Engine, id: string): Promise<boolean> {
  return (await loadPause(database, id))?.status === 'IN_FORCE'
}

export async function readPause(engine: Engine, id: string): Promise<Result<Reply, Failure>> {
  const pause = await loadPause(engine.database, id)
  if (!pause) return failed(unknown(id))
  const isInForce = pause.status === 'IN_FORCE'
  const handingOver = isInForce ? (await listHandOvers(engine.database, pause)).length : undefined
  return ok({ status: 200, body: await render(engine, pause, handingOver) })
}

export async function listPauses(
  engine: Engine,
  query: PageQuery & { readonly status?: PauseRow['status'] },
): Promise<Result<Reply, Failure>> {
  const { database, keys } = engine
  const filters = { status: query.status }
  const page = readPage(keys, installationBook, 'pauses', query, filters)
  if (!page.ok) return page
  const { rows, totalCount } = await pauseList.read(database, installationBook, filters, page.value)
  const held = await countHeldBy(
    database,
    rows.map(({ id }) => id),
  )
  const show = (pause: PauseRow) => renderPause(engine, pause, held.get(pause.id) ?? 0)
  const body = toPage(keys, installationBook, 'pauses', page.value, filters, rows, totalCount, show)
  return ok({ status: 200, body })
}

/** What waits because of a pause, those that have waited longest first. REFERENCE_NOT_FOUND where there is no such pause. */
export async function listHeldPayments(
  engine: Engine,
  id: string,
  query: PageQuery,
): Promise<Result<Reply, Failure>> {
  const { database, keys } = engine
  const filters = { pauseId: id }
  const page = readPage(keys, installationBook, 'held payments', { ...query, sortOrder: 'asc' }, filters)
  if (!page.ok) return page
  if (!(await loadPause(database, id))) {
    return failed(unknown(id))
  }
  const { limit, after } = page.value
  const [rows, counted] = await Promise.all([
    listHeldBy(database, id, limit + 1, after),
    countHeldBy(database, [id]),
  ])
  const show = ({ createdAt, ...row }: HeldRow): HeldPayment => ({ ...row, heldAt: toTimestamp(createdAt) })
  const total = counted.get(id) ?? 0
  const body = toPage(keys, installationBook, 'held payments', page.value, filters, rows, total, show)
  return ok({ status: 200, body })
}

async function render(engine: Engine, pause: PauseRow, handingOver?: number): Promise<PayoutPause> {
  const held = await countHeldBy(engine.database, [pause.id])
  return renderPause(engine, pause, held.get(pause.id) ?? 0, handingOver)
}

function renderPause({ keys }: Engine, pause: PauseRow, held: number, handingOver?: number): PayoutPause {
  const {
    id,
    status,
    ofEnvironment,
    ofPlatformId,
    ofRail,
    reason,
    pausedBy,
    liftedBy,
    liftedAt,
    liftReason,
  } = pause
  return {
    id,
    environment: ofEnvironment,
    ...(ofPlatformId === null ? {} : { platformId: ofPlatformId }),
    ...(ofRail === null ? {} : { rail: ofRail }),
    reasonCode: pause.reasonCode,
    reason: keys.open(installationBook, sealedPauseReasons, id, reason),
    status,
    held,
    ...(handingOver === undefined ? {} : { handingOver }),
    pausedBy,
    pausedAt: toTimestamp(pause.createdAt),
    ...(liftedBy === null ? {} : { liftedBy }),
    ...(liftedAt === null ? {} : { liftedAt: toTimestamp(liftedAt) }),
    ...(liftReason === null
      ? {}
      : { liftReason: keys.open(installationBook, sealedLiftReasons, id, liftReason) }),
  }
}

function unknown(id: string): Failure {
  return fail('REFERENCE_NOT_FOUND', { resourceType: 'Pause', id })
}
