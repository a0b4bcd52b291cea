import type { Failure } from './errors.ts'

/**
 * What everything has to pass that moves a customer's money or widens what may be done with it: quotes,
 * transfers, trust, deletion. Their order says which refusal is told when several hold (accounts 7.4, 9);
 * each use names the gates that it has.
 */
export const gates = {
  AGENT: 'the policy of the agent that acts allows it (wallets 12.5)',
  SIGNATURE: 'the wallet that pays has signed what is asked (wallets 9.1)',
  CUSTOMER: 'customers and their internal accounts may move money (customers 1.2)',
  LIMITS: 'currency and amount are within what platform and operator allow (accounts 1.3)',
  ACCOUNT: 'an external account can be pulled from, or paid (accounts 4.2)',
  SCA: 'the customer has authorized it or can be asked, where the region asks (customers 13)',
} as const
export type Gate = keyof typeof gates

/** What closed gates say; undefined for open ones. */
export type GateRefusals = Readonly<Partial<Record<Gate, Failure | undefined>>>

/** The refusal of the first gate that is closed. */
export function firstRefusal(refusals: GateRefusals): Failure | undefined {
  for (const gate of Object.keys(gates) as Gate[]) if (refusals[gate]) return refusals[gate]
  return undefined
}
