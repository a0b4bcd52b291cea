import type { Instant } from '@corridor/kernel'
import type { Database } from '../../mechanisms/db/database.ts'
import { environmentOperator } from '../../mechanisms/http/authenticate.ts'
import { loadOperator, type OperatorRow } from './store.ts'

const confirmedAfterMs = 7 * 24 * 60 * 60_000

/** Whether another operator has confirmed an account, or had a week to notice it. */
function isEstablished({ confirmedBy, joinedAt }: OperatorRow, now: Instant): boolean {
  return confirmedBy !== null || (joinedAt ?? now) + confirmedAfterMs <= now
}

/**
 * Whether an account counts as a second person for one of the two who made it. Who invited an account may have joined with its
 * code, so it takes another operator who confirms it, or a week in which the others could notice.
 */
export function countsFor(account: OperatorRow, other: string, now: Instant): boolean {
  const { invitedBy, approvedBy } = account
  return (invitedBy !== other && approvedBy !== other) || isEstablished(account, now)
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
    // The key of the environment is nobody in particular: who runs the machine invites the first accounts with it.
    if (newest.invitedBy === environmentOperator.id) break
    ids.push(newest.invitedBy)
    newest = await loadOperator(database, newest.invitedBy)
  }
  return ids
}

/** Whether one person may be behind both accounts. */
export async function maybeOnePerson(
  database: Database,
  one: OperatorRow,
  other: OperatorRow,
  now: Instant,
): Promise<boolean> {
  const behind = await personsBehind(database, one, now)
  return (await personsBehind(database, other, now)).some((id) => behind.includes(id))
}
