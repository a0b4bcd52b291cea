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
  [
    /^webhookEvents\.(count|load)Matching$/,
    'reads the events of the time that the caller names, to send them again',
  ],
  [/^webhookListeners\.takeNew$/, 'goes on from the last event that the listener took'],
  [/^requestLog\.about$/, 'looks through the requests of a book, of which the log keeps so many and no more'],
  [
    /^(agents\.list|agentActions\.approvals) #/,
    'leaves out those of deleted customers, each found by its key',
  ],
  [
    /^(erasure\.(quotes|former\w+)|operator\.findPaymentUnderWay)$/,
    'when the operator erases a customer: an index would cost every quote and event an entry',
  ],
  [/^agents\.forgetUsage$/, 'in the background, among the usage counters of two months'],
  [/^(webhooks\.endpoints|operator\.listPlatforms)$/, 'pages of the operator, up to 10,000 of each platform'],
  [/^tokens\.otherManaging$/, 'when a token is deleted: a platform has few'],
  // ADR 35: an index on what changes would cost every payment an entry for each of its steps.
  [/#([4-9]|\d\d+) (count|page)$/, 'a filter that no index begins with walks the list'],
]

/** Indexes of what is under way: it goes when it is done, however long the history is. */
const queues =
  /^(quotes_expiring|receivables_open|invitations_expiring|events_heads|events_questions|events_due|events_waiting|sca_challenges_pending|jobs_\w+|verifications_in_review)$/

/** Lists are read, and decisions applied, as a platform: no work on all books does either. */
export function isOfPlatform(name: string): boolean {
  return / #\d+ |^(update|guard) /.test(name)
}

/** Why a statement may; undefined where it may not. */
export function exceptionFor(name: string): string | undefined {
  return statements.find(([pattern]) => pattern.test(name))?.[1]
}

export function isQueue(index: string): boolean {
  return queues.test(index)
}
