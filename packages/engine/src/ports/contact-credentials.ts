import type { Decision } from '../vocabulary/decision.ts'
import type { Book, Scope } from '../vocabulary/scope.ts'

/** What a customer signs in to a wallet with, and is reached by. */
export interface Contact {
  readonly type: 'EMAIL_OTP' | 'SMS_OTP'
  /** As it was given; e-mail addresses are compared in lower case. */
  readonly value: string
}

/**
 * What changing a contact needs of the credentials that unlock wallets (wallets 6). A credential is tied to
 * its customer's contact of the same type. `E` is the engine that it works with.
 */
export interface ContactCredentials<E> {
  /** Ids of the credentials of one type on all wallets of a customer, sorted. */
  tied(engine: E, book: Book, customerId: string, type: Contact['type']): Promise<readonly string[]>
  /** Whether a credential of the book that is none of these has the contact. */
  isHeldByOthers(engine: E, book: Book, contact: Contact, ids: readonly string[]): Promise<boolean>
  /**
   * The changes that give all of these credentials the contact, to be committed with that of the customer;
   * undefined when one of them cannot have it now, and then none gets it.
   */
  change(
    engine: E,
    scope: Scope,
    ids: readonly string[],
    contact: Contact,
  ): Promise<Pick<Decision, 'updates' | 'statements'> | undefined>
}
