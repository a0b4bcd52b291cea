import { isId } from '@corridor/kernel'
import type { BodyCheck } from '../../mechanisms/feature/bound.ts'
import { loadCustomer } from '../../people/customers/index.ts'
import type { FieldProblem } from '../../vocabulary/errors.ts'
import { ownedAccountIds } from './commands.ts'
import { policyProblems } from './policy.ts'
import { loadAgent } from './store.ts'

/** What schemas cannot say of the bodies of agents (wallets 12.2, 12.3). */

export const checkCreation: BodyCheck = async (engine, scope, { name, customerId, policy }) => {
  const isKnown = typeof customerId === 'string' && isId('Customer', customerId)
  const customer = isKnown ? await loadCustomer(engine, scope, customerId) : undefined
  const isLive = customer?.deletedAt === null
  return [
    ...nameProblems(name),
    // The schema has a word on what is no id at all.
    ...(isKnown && !isLive ? [{ field: 'customerId', message: 'is not a customer of the platform' }] : []),
    // Without its customer there is nothing that accounts could be compared with.
    ...(isLive
      ? policyProblems(policy, {
          prefix: 'policy.',
          owned: await ownedAccountIds(engine, scope, customer.id),
        })
      : []),
  ]
}

export const checkChange: BodyCheck = (_engine, _scope, body) => {
  const isEmpty = body.name === undefined && body.isPaused === undefined
  return isEmpty ? [{ field: 'name', message: 'is required if isPaused is absent' }] : nameProblems(body.name)
}

export const checkPolicyChange: BodyCheck = async (engine, scope, body, { agentId = '' }) => {
  const agent = await loadAgent(engine.database, scope, agentId)
  if (!agent) return []
  const owned = await ownedAccountIds(engine, scope, agent.customerId)
  return policyProblems(body, { prefix: '', owned, before: agent.policy })
}

const longestName = 255

function nameProblems(name: unknown): FieldProblem[] {
  if (typeof name !== 'string') return []
  const { length } = [...name.slice(0, 4 * longestName).trim()]
  if (length === 0) return [{ field: 'name', message: 'is empty' }]
  return length > longestName ? [{ field: 'name', message: `is longer than ${longestName} characters` }] : []
}
