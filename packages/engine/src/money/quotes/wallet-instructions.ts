import { createHash } from 'node:crypto'
import { type Instant, toTimestamp } from '@corridor/kernel'
import type { WalletIdentity } from '../../platform/internal-accounts/index.ts'
import type { Quote } from './quote.ts'
import type { Quote as QuoteWire } from './quote-schemas.ts'

/** What the signature over a quote commits its wallet to. */
type SignedTerms = Pick<
  Quote,
  'id' | 'sendingMinor' | 'receivingMinor' | 'sendingCurrency' | 'receivingCurrency' | 'destination'
> & { readonly now: Instant; readonly expiresAt: Instant }

/**
 * What the holder of an embedded wallet signs to release a quote (wallets 9.1, 4.3): a text that no other
 * quote has. It is kept as it is and holds for the life of the quote.
 */
export function walletInstructions(
  { organizationId, walletId }: WalletIdentity,
  terms: SignedTerms,
): NonNullable<QuoteWire['paymentInstructions']> {
  const { destination } = terms
  const committed = [
    terms.id,
    terms.sendingMinor,
    terms.receivingMinor,
    terms.sendingCurrency,
    terms.receivingCurrency,
    destination.destinationType === 'ACCOUNT' ? destination.accountId : destination.umaAddress,
    toTimestamp(terms.expiresAt),
  ]
  const payloadToSign = JSON.stringify({
    type: 'ACTIVITY_TYPE_SIGN_TRANSACTION_V2',
    timestampMs: String(terms.now),
    organizationId,
    parameters: {
      signWith: walletId,
      unsignedTransaction: createHash('sha256').update(committed.join('|')).digest('hex'),
      type: 'TRANSACTION_TYPE_ETHEREUM',
    },
    generateAppProofs: true,
  })
  return [
    {
      instructionsNotes:
        'Sign payloadToSign with the key of a wallet session and execute the quote with the signature.',
      accountOrWalletInfo: { accountType: 'EMBEDDED_WALLET', payloadToSign },
    },
  ]
}

/** The text whose signature releases the quote; undefined for quotes that are not paid by a wallet. */
export function walletPayloadOf({ paymentInstructions }: Quote): string | undefined {
  const wallet = paymentInstructions?.find(
    ({ accountOrWalletInfo }) => accountOrWalletInfo.accountType === 'EMBEDDED_WALLET',
  )
  return wallet?.accountOrWalletInfo.payloadToSign as string | undefined
}
