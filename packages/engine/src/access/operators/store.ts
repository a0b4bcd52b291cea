import type { Instant } from '@corridor/kernel'
import { toTimestamp } from '@corridor/kernel'
import type { Database } from '../../mechanisms/db/database.ts'
import { statement } from '../../mechanisms/db/driver.ts'
import type { SealedColumn } from '../../mechanisms/keys/sealing.ts'
import { defineList, equals } from '../../mechanisms/lists/list.ts'
import { type OperatorRole, operatorRoles, reaches } from '../../vocabulary/roles.ts'
import { installationBook } from '../../vocabulary/scope.ts'

/** Operators belong to the installation: their rows stand in the book that no platform has. */
const { platformId, environment } = installationBook

export interface OperatorRow {
  readonly id: string
  readonly version: bigint
  readonly name: string
  readonly role: OperatorRole
  readonly keyDays: number
  readonly hasKey: boolean
  readonly codeExpiresAt: Instant | null
  readonly keyExpiresAt: Instant | null
  readonly createdAt: Instant
  readonly endedAt: Instant | null
  /** Who wanted it, and who agreed. Null for accounts from before this was noted, and without an approval. */
  readonly invitedBy: string | null
  readonly approvedBy: string | null
  /** When its first key was made. */
  readonly joinedAt: Instant | null
  readonly confirmedBy: string | null
}

const columns = `id, version, name, role, key_days as "keyDays", key_hash is not null as "hasKey",
  code_expires_at as "codeExpiresAt", key_expires_at as "keyExpiresAt", created_at as "createdAt",
  ended_at as "endedAt", invited_by as "invitedBy", approved_by as "approvedBy", joined_at as "joinedAt",
  confirmed_by as "confirmedBy"`

const load = statement(
  'operators.load',
  `select ${columns} from operators where platform_id = $1 and environment = $2 and id = $3`,
)
const findByCode = statement(
  'operators.findByCode',
  `select ${columns} from operators
   where platform_id = $1 and environment = $2 and code_hash = $3`,
)
const listOthers = statement(
  'operators.others',
  `select id from operators
   where platform_id = $1 and environment = $2 and id <> all($3::text[]) and key_hash is not null and role = any($4::text[])
     and key_expires_at > $5 and (ended_at is null or ended_at > $5)
   limit 1`,
)

export async function loadOperator(database: Database, id: string): Promise<OperatorRow | undefined> {
  const [row] = await database.read<OperatorRow>(installationBook, load, [platformId, environment, id])
  return row
}

/** Of a code that was used too: whoever knows it may hear that. */
export async function findOperatorByCode(
  database: Database,
  codeHash: string,
): Promise<OperatorRow | undefined> {
  const parameters = [platformId, environment, codeHash]
  const [row] = await database.read<OperatorRow>(installationBook, findByCode, parameters)
  return row
}

/**
 * Whether there is a named account besides these with the role, or was until `since`: whoever ends the account of the other does
 * not act alone on the same day. An account that does not count as a second person yet is an account too: otherwise
 * inviting one would leave its inviter free to act alone.
 */
export async function hasOthers(
  database: Database,
  ids: readonly string[],
  least: OperatorRole,
  since: Instant,
): Promise<boolean> {
  const roles = operatorRoles.filter((role) => reaches(role, least))
  const parameters = [platformId, environment, ids, roles, toTimestamp(since)]
  return (await database.read(installationBook, listOthers, parameters)).length > 0
}

export const operatorList = defineList<OperatorRow>()({
  name: 'operators.list',
  table: 'operators',
  columns,
  filters: {},
})

export interface ProposalRow {
  readonly id: `Proposal:${string}`
  readonly version: bigint
  readonly operation: string
  readonly input: string
  readonly status: 'OPEN' | 'APPROVED' | 'REFUSED'
  readonly proposedBy: string
  readonly decidedBy: string | null
  readonly createdAt: Instant
  readonly expiresAt: Instant
}

export const sealedProposals: SealedColumn = { table: 'operator_proposals', column: 'input', row: 'id' }

const proposalColumns = `id, version, operation, input, status, proposed_by as "proposedBy",
  decided_by as "decidedBy", created_at as "createdAt", expires_at as "expiresAt"`

const loadOne = statement(
  'operators.loadProposal',
  `select ${proposalColumns} from operator_proposals
   where platform_id = $1 and environment = $2 and id = $3`,
)

export async function loadProposal(database: Database, id: string): Promise<ProposalRow | undefined> {
  const [row] = await database.read<ProposalRow>(installationBook, loadOne, [platformId, environment, id])
  return row
}

export const proposalList = defineList<ProposalRow>()({
  name: 'operators.proposals',
  table: 'operator_proposals',
  columns: proposalColumns,
  filters: { operation: equals('operation') },
})
