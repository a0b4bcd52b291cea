import { failed, ok, type Result, toTimestamp } from '@corridor/kernel'
import { commit } from '../../mechanisms/db/apply.ts'
import type { Said } from '../../mechanisms/faults/store.ts'
import type { Engine } from '../../mechanisms/feature/engine.ts'
import { type Failure, fail } from '../../vocabulary/errors.ts'
import type { Reply } from '../../vocabulary/operation.ts'
import type { Scope } from '../../vocabulary/scope.ts'
import type { SandboxFault, SandboxFaultCreateRequest } from './contract.ts'
import { type FaultRow, loadFault, loadFaults } from './store.ts'

/** Each is looked at for every request of its sandbox. */
const mostFaults = 100

/** Fails with CONFLICT where a sandbox has as many as it may. */
export async function createFault(
  engine: Engine,
  scope: Scope,
  request: SandboxFaultCreateRequest,
): Promise<Result<Reply, Failure>> {
  const { kind, target, match = {}, probability = 1, times, after = 0, until, seed = '' } = request
  const { params = {}, hidden = false } = request
  const id = engine.world.id('Fault')
  const said: Said = {
    match,
    probability,
    ...(times === undefined ? {} : { times }),
    after,
    ...(until === undefined ? {} : { until: toTimestamp(Date.parse(until)) }),
    seed,
    params,
    hidden,
  }
  const at = toTimestamp(scope.now)
  const made = await commit(engine.applier, scope, async () => {
    const { length } = await loadFaults(engine.database, scope)
    if (length >= mostFaults) return failed(fail('CONFLICT', { reason: 'TOO_MANY_FAULTS' }))
    const row = { id, kind, target, said, created_at: at, updated_at: at }
    const shown = { id, version: 1n, kind, target, said, seen: 0n, hits: 0n, createdAt: scope.now }
    return ok({
      inserts: [{ table: 'faults', row: row }],
      result: (): Reply => ({ status: 201, body: renderFault(shown) }),
    })
  })
  engine.faults.changed(scope)
  return made
}

/** Ends one; fails with REFERENCE_NOT_FOUND. */
export async function deleteFault(engine: Engine, scope: Scope, id: string): Promise<Result<Reply, Failure>> {
  return end(engine, scope, async () => {
    const fault = await loadFault(engine.database, scope, id)
    return fault ? ok([fault]) : failed(noFault(id))
  })
}

/** Ends all there are. */
export async function deleteFaults(engine: Engine, scope: Scope): Promise<Result<Reply, Failure>> {
  return end(engine, scope, async () => ok(await loadFaults(engine.database, scope)))
}

async function end(
  engine: Engine,
  scope: Scope,
  load: () => Promise<Result<readonly FaultRow[], Failure>>,
): Promise<Result<Reply, Failure>> {
  const at = toTimestamp(scope.now)
  const ended = await commit(engine.applier, scope, async () => {
    const faults = await load()
    if (!faults.ok) return faults
    return ok({
      updates: faults.value.map(({ id, version }) => ({
        table: 'faults' as const,
        id,
        version,
        set: { deleted_at: at, updated_at: at },
      })),
      result: (): Reply => ({ status: 204 }),
    })
  })
  engine.faults.changed(scope)
  return ended
}

export function noFault(id: string): Failure {
  return fail('REFERENCE_NOT_FOUND', { resourceType: 'Fault', id })
}

export function renderFault({ id, kind, target, said, seen, hits, createdAt }: FaultRow): SandboxFault {
  return {
    id: id as SandboxFault['id'],
    kind,
    target,
    ...(said as Omit<Said, 'params'> & { params: SandboxFault['params'] }),
    seen: Number(seen),
    hits: Number(hits),
    createdAt: toTimestamp(createdAt),
  }
}
