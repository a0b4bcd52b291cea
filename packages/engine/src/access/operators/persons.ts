import type { Instant } from '@corridor/kernel'
import type { Database } from '../../mechanisms/db/database.ts'
import { environmentOperator } from '../../mechanisms/http/authenticate.ts'
import { loadOperator, type OperatorRow } from './store.ts'

const confirmedAfterMs = 7 * 24 * 60 * 60_000

/** True if another operator has confirmed the account, or it first signed in at least seven days ago. */
function isEstablished({ confirmedBy, joinedAt }: OperatorRow, now: Instant): boolean {
  return confirmedBy !== null || (joinedAt ?? now) + confirmedAfterMs <= now
}

/**
 * True if an account counts as a second person for its inviter or approver. An inviter may have joined with the code, so another
 * operator has to confirm the account, or seven days have to pass. Any inviter may hold the operator key of the environment.
 */
export function countsFor(account: OperatorRow, other: string, now: Instant): boolean {
  const { invitedBy, approvedBy } = account
  const makers = [invitedBy, approvedBy].filter((maker) => maker !== null)
  const isOfOther = other === environmentOperator.id ? makers.length > 0 : makers.includes(other)
  return !isOfOther || isEstablished(account, now)
}

/**
 * The accounts whose owner may be the person behind this one: itself, its inviter while it is new, that one's inviter, and so on.
 * Otherwise an operator could act as two by the way of accounts that invite each other. Approvers see no codes.
 */
export async function personsBehind(
  database: Database,
  account: OperatorRow,
  now: Instant,
): Promise<readonly string[]> {
  const ids = [account.id]
  let newest: OperatorRow | undefined = account
  while (newest && newest.invitedBy !== null && !isEstablished(newest, now)) {
    // The operator key of the environment belongs to no account. It invites the first accounts.
    if (newest.invitedBy === environmentOperator.id) break
    ids.push(newest.invitedBy)
    newest = await loadOperator(database, newest.invitedBy)
  }
  return ids
}

/** True if one person may own both accounts. */
export async function maybeOnePerson(
  database: Database,
  one: OperatorRow,
  other: OperatorRow,
  now: Instant,
): Promise<boolean> {
  const behind = await personsBehind(database, one, now)
  return (await personsBehind(database, other, now)).some((id) => behind.includes(id))
}
