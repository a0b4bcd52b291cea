/** Plans whose cost may depend on more than the rows that are asked for, each with its reason. */

/** Statements, by their names. */
const statements: readonly (readonly [RegExp, string])[] = [
  [/^(audit\.|auditLog\.heads)/, 'recomputes everything, in a session that nothing waits for'],
  [/^auditLog\.findOld$/, 'looks for what is old, in the background, a book at a time'],
  [/^(jobs|outbox)\.endLeases$/, 'at the start of a process that has its database for itself'],
  [/^clock\.reschedule$/, 'moves all jobs of a sandbox book that wait, with its clock'],
  [/^pauses\.handOvers$/, 'looks through the jobs that wait when the operator pauses payouts'],
  [/^stuck\./, "up to 10,000 payments under way of each book, for the operator's page"],
  [/^(customers|externalAccounts)\.unhashed$/, 'once after an upgrade, a page at a time'],
  [
    /^internalAccounts\.paymentUnderWay$/,
    'when an account is closed: who is named in a payment has no index',
  ],
  [/^customers\.holders$/, 'walks the customers of a platform that gets a currency, a page at a time'],
  [/^outbox\.booksWithDue$/, 'goes from book to book along an index, not from row to row'],
  // Still to be done: each reads the rows of a platform for those of one customer, agent or account.
  [/^erasure\./, 'the operator erases a deleted customer once'],
  [/^operator\.findPaymentUnderWay$/, 'the operator erases a deleted customer once'],
  [/^agentActions\.approvals #/, 'looks for agents that are gone among those of the platform'],
  [/^agents\.forgetUsage$/, 'in the background, once a month matters'],
  [/^beneficialOwners\.list #/, 'is asked for one customer, which its declaration does not say'],
  [/^suspense\.list #/, 'without a status it sorts what was ever in suspense'],
  [/^(webhooks\.endpoints|operator\.listPlatforms)$/, 'pages of the operator, up to 10,000 of each platform'],
  [/^tokens\.otherManaging$/, 'a platform has few tokens'],
  [/^walletAuth\.endRequests$/, 'signed requests end within minutes'],
  // ADR 35: an index on what changes would cost every payment an entry for each of its steps.
  [/#([4-9]|\d\d+) (count|page|stamps)$/, 'a filter that no index begins with walks the list'],
]

/** Indexes of what is under way: it goes when it is done, however long the history is. */
const queues =
  /^(quotes_expiring|receivables_open|invitations_expiring|events_heads|events_questions|events_due|events_waiting|sca_challenges_pending|jobs_\w+|verifications_in_review)$/

/** Why a statement may; undefined where it may not. */
export function exceptionFor(name: string, role: string): string | undefined {
  if (role === 'corridor_system' && / #\d+ |^(update|guard) /.test(name)) {
    return 'lists are read, and decisions applied, as a platform'
  }
  return statements.find(([pattern]) => pattern.test(name))?.[1]
}

export function isQueue(index: string): boolean {
  return queues.test(index)
}
