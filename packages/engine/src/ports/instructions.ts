import type { Instant } from '@corridor/kernel'
import type { PaymentInstructions } from '../reference/account-types/index.ts'

/**
 * Issues the coordinates that money is sent to. Only who keeps an account with a bank, or the keys of a chain or
 * a node, can: what nobody issued is never published.
 *
 * Our id is the key of each call. Asked again (after an answer that was lost, or by two at once) an issuer
 * names the same coordinates, so that what somebody may have been told already stays true. It may take its
 * time and throw: then nothing is known, and it is asked again under the same id.
 */
export interface InstructionIssuer {
  /** The coordinates of an internal account, for as long as it exists (accounts 3.3). */
  forAccount(account: AccountToIssue): Promise<Issued>
  /** How one quote is paid in, over rails that bring the money at once (accounts 7.1, 7.2). */
  forQuote(payIn: PayInToIssue): Promise<Issued>
}

export interface AccountToIssue {
  readonly accountId: string
  readonly currency: string
  /** What payers write, where the coordinates alone do not name the account. */
  readonly reference: string
}

export interface PayInToIssue {
  readonly quoteId: string
  readonly currency: string
  /** Which chain to pay on: stablecoins name one, bitcoin may. */
  readonly cryptoNetwork?: string
  /** Unique to the quote. */
  readonly reference: string
  /** What has to arrive, in minor units of `currency`: the quote's whole sending amount. */
  readonly amountMinor: bigint
  readonly now: Instant
  readonly expiresAt: Instant
}

export type Issued =
  | { readonly status: 'ISSUED'; readonly entries: readonly PaymentInstructions[] }
  /** Being set up: asked again later under the same id. */
  | { readonly status: 'PENDING' }
