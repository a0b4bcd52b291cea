import { createHash } from 'node:crypto'
import type { Engine } from '../../mechanisms/feature/engine.ts'
import { type UmaExchange, Unanswered } from '../../ports/uma.ts'
import type { Scope } from '../../vocabulary/scope.ts'

/** Conducts one exchange with an institution as its environment does. `unanswered` says what it fails with otherwise. */
export async function exchangeWith<T>(
  { adapters }: Engine,
  scope: Scope,
  about: {
    readonly kind: UmaExchange['kind']
    readonly address: string
    readonly customerId: string | undefined
    readonly unanswered: (status: number | undefined) => T
  },
  ask: () => Promise<T>,
): Promise<T> {
  const { uma } = adapters[scope.environment]
  if (!uma.exchange) return ask()
  const { kind, address, customerId, unanswered } = about
  // Hashed: it is an address of a person.
  const id = `uma ${createHash('sha256').update(address).digest('hex').slice(0, 16)}`
  const context = { scope, kind, id, customerIds: customerId === undefined ? [] : [customerId] }
  const answer = await uma.exchange(context, ask)
  return answer instanceof Unanswered ? unanswered(answer.status) : answer
}
