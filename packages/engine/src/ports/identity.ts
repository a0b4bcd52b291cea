import type { CallContext } from './call-context.ts'

/** Decides who a customer is (customers 10). */
export interface IdentityProvider {
  /** The status a customer starts with (customers 10.2). */
  decideAtCreation(customer: {
    readonly customerType: 'INDIVIDUAL' | 'BUSINESS'
    readonly fullName?: string
    readonly isRegulated: boolean
    readonly skipPaperwork: boolean
  }): IdentityStatus
  /** What comes of a submission of a customer that is not decided yet. May ask over the network. */
  decide(submission: Submission): Promise<IdentityVerdict>
  /** The status of an owner of a business that is decided (customers 10.3, 12). */
  decideOwner(owner: {
    readonly lastName: string
    readonly business: 'APPROVED' | 'REJECTED'
    /** Whether the owner was part of what was decided; else it was added later. */
    readonly isPartOfDecision: boolean
  }): IdentityStatus
  /** Looks at an uploaded file at once, where the provider can (customers 11.4). */
  inspectDocument?(document: {
    readonly documentType: string
    readonly contentType: string
    readonly bytes: Uint8Array
    readonly context?: CallContext
  }): Promise<DocumentFinding | undefined>
  /** The `token` of a hosted link, from random text, where the provider's form can be embedded. */
  embeddingToken?(random: string): string
  /** What people who fill in the hosted page should know beforehand. */
  readonly notice?: string
}

export type IdentityStatus = 'UNVERIFIED' | 'PENDING' | 'APPROVED' | 'REJECTED'

export interface Submission {
  readonly customerType: 'INDIVIDUAL' | 'BUSINESS'
  readonly isRegulated: boolean
  readonly skipPaperwork: boolean
  /** Of an individual: the first full name that was given. */
  readonly fullName?: string
  /** Of a business, as it is now. */
  readonly registrationNumber?: string
  /** Whether everything that the rules ask for is there (customers 10.4). */
  readonly isComplete: boolean
  readonly context?: CallContext
}

export type IdentityVerdict =
  | 'APPROVED'
  | 'REJECTED'
  | 'PENDING_MANUAL_REVIEW'
  /** The identity document cannot be read; a better one is asked for. */
  | 'POOR_QUALITY_DOCUMENT'
  /** What is missing is asked for. */
  | 'INCOMPLETE'

export type DocumentFinding =
  | 'LOW_QUALITY'
  | 'DATA_MISMATCH'
  | 'EXPIRED'
  | 'SUSPECTED_FRAUD'
  | 'UNSUITABLE_DOCUMENT'
  | 'INCOMPLETE'
