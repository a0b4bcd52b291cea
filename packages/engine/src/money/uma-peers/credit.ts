import type { Count } from '../../vocabulary/decision.ts'
import { fail } from '../../vocabulary/errors.ts'

/**
 * Adds to what a peer owes us in the end, in millisatoshi, below zero what is owed to it: its payments raise it, ours and
 * settlements lower it. In the same transaction as the posting, so that payments that come together keep within the line
 * (webhooks-uma 6.7). VELOCITY_LIMIT_EXCEEDED.
 */
export function countCredit(domain: string, addMsats: bigint, lineMsats?: bigint): Count {
  return {
    counter: `uma-credit/${domain}`,
    addMinor: addMsats,
    isSigned: true,
    ...(lineMsats === undefined
      ? {}
      : {
          limitMinor: lineMsats,
          exceeded: () => fail('VELOCITY_LIMIT_EXCEEDED', { counterpartyDomain: domain }),
        }),
  }
}
