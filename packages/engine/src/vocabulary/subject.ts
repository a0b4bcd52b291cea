import { isId } from '@corridor/kernel'

/** The customer of whom what belongs to this owner tells; null where it belongs to the platform itself. */
export function subjectOfOwner(ownerId: string | null): string | null {
  return ownerId !== null && isId('Customer', ownerId) ? ownerId : null
}

/** The customer of whom a response tells, by its fields: its own id, or the first `customerId` in it. Null for nobody. */
export function subjectOfResponse(body: unknown): string | null {
  const owner = ownerIn(body)
  if (owner !== null || typeof body !== 'object' || body === null) return owner
  const { id } = body as { id?: unknown }
  return typeof id === 'string' ? subjectOfOwner(id) : null
}

function ownerIn(value: unknown): string | null {
  if (typeof value !== 'object' || value === null) return null
  const { customerId } = value as { customerId?: unknown }
  if (typeof customerId === 'string' && isId('Customer', customerId)) return customerId
  for (const each of Object.values(value)) {
    const found = ownerIn(each)
    if (found !== null) return found
  }
  return null
}
