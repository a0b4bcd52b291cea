import type { Instant } from '@corridor/kernel'
import type { Database } from '../../mechanisms/db/database.ts'
import { statement } from '../../mechanisms/db/driver.ts'
import type { FaultKind, FaultTarget } from '../../mechanisms/faults/fault.ts'
import type { Said } from '../../mechanisms/faults/store.ts'
import { defineList, equals, timeConditions } from '../../mechanisms/lists/list.ts'
import type { Book } from '../../vocabulary/scope.ts'

export interface FaultRow {
  readonly id: string
  readonly version: bigint
  readonly kind: FaultKind
  readonly target: FaultTarget
  readonly said: Said
  readonly seen: bigint
  readonly hits: bigint
  readonly createdAt: Instant
}

const columns = 'id, version, kind, target, said, seen, hits, created_at as "createdAt"'

const load = statement(
  'faults.load',
  `select ${columns} from faults
   where platform_id = $1 and environment = $2 and id = $3 and deleted_at is null`,
)

export async function loadFault(database: Database, book: Book, id: string): Promise<FaultRow | undefined> {
  const [row] = await database.read<FaultRow>(book, load, [book.platformId, book.environment, id])
  return row
}

const loadAll = statement(
  'faults.loadAll',
  `select ${columns} from faults where platform_id = $1 and environment = $2 and deleted_at is null order by id`,
)

/** All that are not deleted: as many as a book may have. */
export function loadFaults(database: Database, book: Book): Promise<readonly FaultRow[]> {
  return database.read<FaultRow>(book, loadAll, [book.platformId, book.environment])
}

const encounters = statement(
  'faults.encounters',
  `select subject from fault_encounters
   where platform_id = $1 and environment = $2 and fault_id = $3 order by subject limit $4`,
)

/** Whom a fault has met, at most so many of them. */
export async function loadEncounters(
  database: Database,
  book: Book,
  faultId: string,
  atMost: number,
): Promise<readonly string[]> {
  const parameters = [book.platformId, book.environment, faultId, atMost]
  const rows = await database.read<{ subject: string }>(book, encounters, parameters)
  return rows.map(({ subject }) => subject)
}

/** For the `statements` of a Decision: $3 the fault, $4 whom it has met. */
export const forgetEncounters = statement(
  'faults.forgetEncounters',
  `delete from fault_encounters
   where platform_id = $1 and environment = $2 and fault_id = $3 and subject = any($4::text[])`,
)

/** Counts every fault that a book ever had made. */
export const everMadeCounter = 'faults made'

const count = statement(
  'faults.count',
  `select
     (select count(*) from faults where platform_id = $1 and environment = $2 and deleted_at is null) as living,
     coalesce((select used from volume_counters where platform_id = $1 and environment = $2 and id = $3), 0)
       as "everMade"`,
)

/** How many there are, and how many were ever made, at one moment. */
export async function countFaults(
  database: Database,
  book: Book,
): Promise<{ readonly living: bigint; readonly everMade: bigint }> {
  const parameters = [book.platformId, book.environment, everMadeCounter]
  const [counted] = await database.read<{ living: bigint; everMade: bigint }>(book, count, parameters)
  return counted!
}

export const faultList = defineList<FaultRow>()({
  name: 'faults.list',
  table: 'faults',
  columns,
  where: 'deleted_at is null',
  filters: {
    kind: equals('kind'),
    target: equals('target'),
    createdAfter: timeConditions.createdAfter,
    createdBefore: timeConditions.createdBefore,
  },
})

export interface ActivationRow {
  readonly id: string
  readonly faultId: string
  readonly kind: FaultKind
  readonly target: FaultTarget
  readonly subject: string
  readonly requestId: string | null
  readonly operationId: string | null
  readonly createdAt: Instant
}

export const activationList = defineList<ActivationRow>()({
  name: 'faults.activations',
  table: 'fault_activations',
  columns: `id, fault_id as "faultId", kind, target, subject, request_id as "requestId", operation as "operationId",
    created_at as "createdAt"`,
  // As its index says it (0120).
  where: "fault_id <> ''",
  filters: { faultId: equals('fault_id') },
  always: ['faultId'],
})
