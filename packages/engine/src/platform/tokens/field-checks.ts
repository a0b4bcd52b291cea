import type { BodyCheck } from '../../mechanisms/feature/bound.ts'
import type { FieldProblem } from '../../vocabulary/errors.ts'
import { networkProblem } from '../../vocabulary/networks.ts'
import { nameProblems } from '../../vocabulary/visible-names.ts'

/** What the schema cannot say about the name and the limits of a new token. */
export const checkTokenLimits: BodyCheck = ({ world }, _scope, body) => {
  const { allowedAddresses, expiresAt } = body
  const problems: FieldProblem[] = nameProblems(body)
  const addresses = Array.isArray(allowedAddresses) ? allowedAddresses.slice(0, 50) : []
  for (const [index, address] of addresses.entries()) {
    if (typeof address !== 'string' || address.length > 49) continue
    const message = networkProblem(address)
    if (message !== undefined) problems.push({ field: `allowedAddresses.${index}`, message })
  }
  if (typeof expiresAt === 'string' && Date.parse(expiresAt) <= world.now()) {
    problems.push({ field: 'expiresAt', message: 'is over' })
  }
  return problems
}
