import { failed, ok, type Result, toTimestamp } from '@corridor/kernel'
import { commit } from '../../mechanisms/db/apply.ts'
import type { Said } from '../../mechanisms/faults/store.ts'
import type { Engine } from '../../mechanisms/feature/engine.ts'
import { type Failure, fail } from '../../vocabulary/errors.ts'
import type { Reply } from '../../vocabulary/operation.ts'
import type { Scope } from '../../vocabulary/scope.ts'
import {
  mostInFile,
  type SandboxFault,
  type SandboxFaultCreateRequest,
  type SandboxFaultFile,
} from './contract.ts'
import { forgetFault } from './jobs.ts'
import { countFaults, everMadeCounter, type FaultRow, loadFault, loadFaults } from './store.ts'

/** Each is looked at for every request of its sandbox. */
const mostFaults = BigInt(mostInFile)

/** Fails with CONFLICT where a sandbox has as many as it may. */
export function createFault(
  engine: Engine,
  scope: Scope,
  request: SandboxFaultCreateRequest,
): Promise<Result<Reply, Failure>> {
  return make(engine, scope, [request], ([made]) => made!)
}

/** Makes all of them or none. Fails with CONFLICT where that would be more than a sandbox may have. */
export function applyFaults(
  engine: Engine,
  scope: Scope,
  { seed = '', faults }: SandboxFaultFile,
): Promise<Result<Reply, Failure>> {
  return make(
    engine,
    scope,
    faults.map((fault) => ({ ...fault, seed: fault.seed || seed })),
    (data) => ({ data }),
  )
}

async function make(
  engine: Engine,
  scope: Scope,
  requests: readonly SandboxFaultCreateRequest[],
  bodyOf: (made: SandboxFault[]) => object,
): Promise<Result<Reply, Failure>> {
  const rows = requests.map((request) => ({
    id: engine.world.id('Fault'),
    kind: request.kind,
    target: request.target,
    said: saidOf(request),
  }))
  const at = toTimestamp(scope.now)
  const count = BigInt(rows.length)
  const made = await commit(engine.applier, scope, async () => {
    const { living, everMade } = await countFaults(engine.database, scope)
    const tooMany = fail('CONFLICT', { reason: 'TOO_MANY_FAULTS' })
    if (living + count > mostFaults) return failed(tooMany)
    return ok({
      inserts: rows.map((row) => ({
        table: 'faults' as const,
        row: { ...row, created_at: at, updated_at: at },
      })),
      // Those that were made since they were counted count as well, whoever made them.
      counts: [
        {
          counter: everMadeCounter,
          addMinor: count,
          limitMinor: everMade + mostFaults - living,
          exceeded: () => tooMany,
        },
      ],
      result: (): Reply => ({
        status: 201,
        body: bodyOf(
          rows.map((row) => renderFault({ ...row, version: 1n, seen: 0n, hits: 0n, createdAt: scope.now })),
        ),
      }),
    })
  })
  engine.faults.changed(scope)
  return made
}

function saidOf(request: SandboxFaultCreateRequest): Said {
  const {
    match = {},
    probability = 1,
    times,
    after = 0,
    until,
    seed = '',
    params = {},
    hidden = false,
  } = request
  return {
    match,
    probability,
    ...(times === undefined ? {} : { times }),
    after,
    ...(until === undefined ? {} : { until: toTimestamp(Date.parse(until)) }),
    seed,
    params,
    hidden,
  }
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
      jobs: faults.value.map(({ id }) => forgetFault(id)),
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
