import type { Failure } from './errors.ts'

/**
 * What everything has to pass that moves a customer's money or widens what may be done with it: quotes,
 * transfers, trust, deletion. Their order says which refusal is told when several hold (accounts 7.4, 9);
 * each use names the gates that it has.
 */
export const gates = {
  AGENT: 'the policy of the agent allows it (wallets 12.5)',
  SIGNATURE: 'the paying wallet has signed the payload (wallets 9.1)',
  CUSTOMER: 'customers and their internal accounts may move money (customers 1.2)',
  LIMITS: 'currency and amount are within the limits of platform and operator (accounts 1.3)',
  ACCOUNT: 'the external account can be paid or collected from (accounts 4.2)',
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
