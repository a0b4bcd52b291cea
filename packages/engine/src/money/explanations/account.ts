import { toTimestamp } from '@corridor/kernel'
import type { InternalAccount, LedgerLine } from '../../platform/internal-accounts/index.ts'
import { formatMinor } from '../../reference/currencies/index.ts'
import type { Scope } from '../../vocabulary/scope.ts'
import type { Explanation } from './contract.ts'
import { type Computed, isRecomputed, renderSteps, whole } from './steps.ts'

/** What the balance of an internal account is made of (accounts 3). */
export function explainAccount(
  scope: Scope,
  account: InternalAccount,
  balances: readonly LedgerLine[],
): Explanation {
  const { id, currency, availableMinor, heldMinor, pendingMinor } = account
  const balanceOf = (key: string) => balances.find((row) => row.id === key)
  const available = balanceOf(`avail:${id}`)
  const review = balanceOf(`pend:${id}`)
  const step = (name: string, ledger: LedgerLine | undefined, result: bigint, rule: string): Computed => {
    const { creditsMinor = 0n, debitsMinor = 0n, heldMinor: held = 0n } = ledger ?? {}
    return {
      name,
      formula: 'credits − debits − held',
      inputs: { credits: whole(creditsMinor), debits: whole(debitsMinor), held: whole(held) },
      exact: whole(creditsMinor - debitsMinor - held),
      rounding: 'NONE',
      result,
      currency,
      rule,
    }
  }
  const steps = [
    step('available', available, availableMinor, 'what was credited, less what was debited and what is held'),
    step('underReview', review, pendingMinor, 'what has arrived and awaits a review'),
  ]
  const held = heldMinor > 0n ? ` ${formatMinor(heldMinor, currency)} are held for payments.` : ''
  return {
    subject: {
      id,
      type: 'InternalAccount',
      environment: scope.environment,
      asOf: toTimestamp(scope.now),
    },
    sentence: `${formatMinor(availableMinor, currency)} can be spent.${held}`,
    status: {
      now: account.status,
      since: toTimestamp(account.updatedAt),
      waitingFor: 'NOBODY',
      expectedBy: null,
      overdue: false,
      cancellable: false,
      safeToRetry: { answer: 'NO', why: 'an account is nothing that is tried' },
    },
    derivation: renderSteps(steps),
    journals: [],
    timeline: [],
    webhooks: [],
    next: [],
    checks: [{ name: 'balances recomputed = shown', holds: isRecomputed(steps) }],
    unknown: ['which payments the balance came from: list its transactions'],
  }
}
