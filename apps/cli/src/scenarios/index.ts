import { eventTypes } from '@corridor/sdk'
import { misused } from '../exit.ts'
import { cardScenarios } from './cards.ts'
import { paymentScenarios } from './payments.ts'
import { peopleScenarios } from './people.ts'
import type { Scenario } from './scenario.ts'

/** What leads to each type of event that a platform can bring about in the sandbox. */
export const scenarios: Readonly<Record<string, Scenario>> = {
  ...paymentScenarios,
  ...peopleScenarios,
  ...cardScenarios,
  TEST: async (client) => {
    await client.sandbox.webhooks.test()
    return 'a test of the endpoint'
  },
}

const neverSent = 'Corridor never sends this event; it exists for compatibility.'
const byOperator =
  'Only an operator can trigger this event: POST /operator/internal-accounts/{internalAccountId}/freeze.'
const refund = 'The sandbox never refunds a payment that it has accepted.'

/** Why the others cannot be brought about. */
export const unreachable: Readonly<Record<string, string>> = {
  'CUSTOMER.KYB_PENDING': neverSent,
  'VERIFICATION.IN_PROGRESS': neverSent,
  'VERIFICATION.READY_FOR_VERIFICATION': neverSent,
  'INTERNAL_ACCOUNT.STATUS_UPDATED': byOperator,
  'INTERNAL_ACCOUNT.FUNDING_INSTRUCTIONS_UPDATED': byOperator,
  'INCOMING_PAYMENT.REFUND_PENDING': refund,
  'INCOMING_PAYMENT.REFUND_COMPLETED': refund,
  'INCOMING_PAYMENT.REFUND_FAILED': refund,
}

/** The scenario of a type, or a failure that says why there is none. */
export function scenarioOf(type: string): Scenario {
  if (Object.hasOwn(scenarios, type)) return scenarios[type]!
  const why = Object.hasOwn(unreachable, type) ? unreachable[type] : undefined
  throw misused(
    `${type} cannot be triggered.`,
    why ?? `Use one of ${eventTypes.filter((known) => scenarios[known]).join(', ')}.`,
  )
}
