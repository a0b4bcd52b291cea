import type { EnvironmentRules } from '../../ports/adapters.ts'
import type { BeneficialOwner, Customer } from '../customers/index.ts'
import type { Document } from '../documents/index.ts'
import { businessProblems } from './business-packet.ts'
import type { VerificationError } from './contract.ts'
import { individualProblems } from './individual-packet.ts'

/** Everything that a submission hands in (customers 10.4). */
export interface Packet {
  readonly customer: Pick<Customer, 'id' | 'customerType' | 'profile' | 'identifierSealed'> & {
    readonly owners: readonly Pick<BeneficialOwner, 'id' | 'roles' | 'personalInfo'>[]
  }
  /** Of the customer and of its owners, the oldest first. */
  readonly documents: readonly PacketDocument[]
  readonly rules: Pick<EnvironmentRules, 'requiresTwoNames'>
}

export type PacketDocument = Pick<Document, 'id' | 'holderId' | 'documentType' | 'side' | 'details'>

/** What is missing or wrong, all of it; nothing when the packet is complete. */
export function problemsOf(packet: Packet): VerificationError[] {
  return packet.customer.customerType === 'INDIVIDUAL' ? individualProblems(packet) : businessProblems(packet)
}
