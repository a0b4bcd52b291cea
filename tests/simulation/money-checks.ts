import { isDeepStrictEqual } from 'node:util'

/**
 * What must hold after every history, computed from the rows in plain steps, beside the rules of the audit and without any of their SQL.
 */

export type Rows = <R>(text: string, parameters: readonly unknown[]) => Promise<R[]>

interface Transfer {
  readonly id: string
  readonly kind: 'POSTED' | 'PENDING' | 'POST_PENDING' | 'VOID_PENDING'
  readonly pending_id: string | null
  readonly debit_account: string
  readonly credit_account: string
  readonly currency: string
  readonly amount: bigint | string
}

interface Balances {
  readonly posted: bigint
  readonly reserved: bigint
}

/** Contradictions, in sentences; none when all holds. */
export async function contradictions(rows: Rows, platformId: string): Promise<string[]> {
  const transfers = await rows<Transfer>('select * from ledger_transfers where platform_id = $1', [
    platformId,
  ])
  return [
    ...(await balancesThatDiffer(rows, platformId, transfers)),
    ...(await postingsWithoutRecord(rows, platformId, transfers)),
  ]
}

/** The balances that the postings come to. Money only changes hands, so they sum to zero in each currency. */
async function balancesThatDiffer(
  rows: Rows,
  platformId: string,
  transfers: readonly Transfer[],
): Promise<string[]> {
  const found: string[] = []
  const computed = new Map<string, Balances>()
  const sums = new Map<string, bigint>()
  const byId = new Map(transfers.map((transfer) => [transfer.id, transfer]))
  const move = (account: string, posted: bigint, reserved: bigint) => {
    const before = computed.get(account) ?? { posted: 0n, reserved: 0n }
    computed.set(account, { posted: before.posted + posted, reserved: before.reserved + reserved })
  }
  for (const { kind, pending_id, debit_account, credit_account, currency, amount } of transfers) {
    const minor = BigInt(amount)
    if (kind === 'PENDING') move(debit_account, 0n, minor)
    if (pending_id !== null) move(debit_account, 0n, -BigInt(byId.get(pending_id)!.amount))
    if (kind !== 'POSTED' && kind !== 'POST_PENDING') continue
    move(debit_account, -minor, 0n)
    move(credit_account, minor, 0n)
    sums.set(currency, sums.get(currency) ?? 0n)
  }
  type Row = { id: string; currency: string; posted: bigint | string; reserved: bigint | string }
  const accounts = await rows<Row>(
    `select id, currency, credits_posted - debits_posted as posted, debits_pending as reserved
     from ledger_accounts where platform_id = $1`,
    [platformId],
  )
  for (const { id, currency, posted, reserved } of accounts) {
    sums.set(currency, (sums.get(currency) ?? 0n) + BigInt(posted))
    const { posted: expected, reserved: held } = computed.get(id) ?? { posted: 0n, reserved: 0n }
    if (BigInt(posted) !== expected || BigInt(reserved) !== held)
      found.push(`${id} shows ${posted} and ${reserved} held instead of ${expected} and ${held}`)
    if (id.startsWith('avail:') && BigInt(posted) < BigInt(reserved)) found.push(`${id} is overdrawn`)
  }
  for (const [currency, sum] of sums) if (sum !== 0n) found.push(`${sum} ${currency} came from nowhere`)
  return found
}

/** Each owner lists a payment, a charge or an operation for each posting on one of its accounts. */
async function postingsWithoutRecord(
  rows: Rows,
  platformId: string,
  transfers: readonly Transfer[],
): Promise<string[]> {
  type Record = { id: string; owner: string; record_of: string | null; records: string[] | null }
  const records = await rows<Record>(
    `select id, owner_id as owner, flow ->> 'recordOf' as record_of, flow -> 'records' as records
     from transactions where platform_id = $1
     union all select id, customer_id, null, null from card_transactions where platform_id = $1`,
    [platformId],
  )
  const ownersOf = new Map<string, Set<string>>()
  const add = (payment: string, owner: string) =>
    ownersOf.set(payment, (ownersOf.get(payment) ?? new Set()).add(owner))
  for (const { id, owner, record_of } of records) add(record_of ?? id, owner)
  const owners = new Map(
    (
      await rows<{ id: string; owner: string }>(
        'select id, owner_id as owner from internal_accounts where platform_id = $1',
        [platformId],
      )
    ).map(({ id, owner }) => [id, owner]),
  )
  return transfers.flatMap(({ id, kind, debit_account, credit_account }) => {
    if (kind !== 'POSTED' && kind !== 'POST_PENDING') return []
    const payment = /^(Card)?Transaction:[0-9a-f-]+/.exec(id)?.[0] ?? id
    return [debit_account, credit_account]
      .filter((account) => account.startsWith('avail:'))
      .filter((account) => !ownersOf.get(payment)?.has(owners.get(account.slice('avail:'.length))!))
      .map((account) => `${id} moves ${account} without a record of its owner`)
  })
}

/** An account as an event or a response shows it. */
export interface BalanceVersion {
  readonly id: string
  readonly version: number
  readonly updatedAt: string
  readonly balance: { readonly amount: number }
}

/** Events of a balance carry each version once, in the order of their times, and the last one is the account as it is. */
export function versionsWithGaps(
  events: readonly BalanceVersion[],
  accounts: readonly BalanceVersion[],
): string[] {
  return accounts.flatMap((account) => {
    const told = events.filter(({ id }) => id === account.id).sort((a, b) => a.version - b.version)
    const found: string[] = []
    told.forEach((event, index) => {
      const before = told[index - 1]
      // A change of the status may be told together with the balance: both show the account after the change.
      if (before?.version === event.version) {
        if (!isDeepStrictEqual(before, event))
          found.push(`${event.id} was told of two states at version ${event.version}`)
        return
      }
      if (before && event.version !== before.version + 1)
        found.push(`${event.id} was told of version ${event.version} after ${before.version}`)
      if (before && event.updatedAt <= before.updatedAt)
        found.push(`${event.id} was told of ${event.updatedAt} after ${before.updatedAt}`)
    })
    const last = told.at(-1)
    if (last && (last.version !== account.version || last.balance.amount !== account.balance.amount))
      found.push(`${account.id} is at ${JSON.stringify(account)}, told of ${JSON.stringify(last)}`)
    return found
  })
}
