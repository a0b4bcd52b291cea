import { textOf } from './account-type.ts'
import { defineAccountType } from './define.ts'
import { field, lowerBech32, lowerCase, pattern, required, text, trimCode } from './fields.ts'
import { readInvoice } from './wallet-addresses.ts'

/** An invoice can be paid once, so two writings of one invoice are told apart by what they ask for (accounts 4.7). */
const paymentHashOf = (invoice: string) => readInvoice(invoice)?.paymentHash ?? invoice

/** Wallets copy invoices as links. */
const withoutScheme = (text: string) => lowerBech32(trimCode(text).replace(/^lightning:(\/\/)?/i, ''))
/** BOLT12 splits long offers with a plus sign and blanks. */
const joinedOffer = (text: string) =>
  withoutScheme(
    text
      .split('+')
      .map((part) => part.trim())
      .join(''),
  )

/**
 * Bitcoin over Lightning (accounts 4.4, 4.5): an invoice, a reusable offer or a Lightning address. None
 * of them proves who the owner is, so there is no beneficiary and no ownership proof.
 */
export const lightning = defineAccountType({
  name: 'LIGHTNING',
  aliases: ['LIGHTNING_ACCOUNT'],
  kind: 'LIGHTNING',
  currencies: ['BTC'],
  countries: [],
  fields: {
    invoice: field({
      maxLength: 4096,
      description: 'BOLT11 invoice.',
      clean: withoutScheme,
      shape: [pattern(/^ln(bcrt|bc|tb)[0-9a-z]+$/, 'must be a BOLT11 invoice')],
      bank: [
        { accepts: (invoice) => /^lnbc(?!rt)/.test(invoice), message: 'is not for the main network' },
        {
          accepts: (invoice) => readInvoice(invoice) !== undefined,
          message: 'has a wrong checksum or content',
        },
      ],
    }),
    bolt12: field({
      maxLength: 4096,
      description: 'BOLT12 offer.',
      clean: joinedOffer,
      // A published sample shows an invoice here; it is tolerated until real money is sent.
      shape: [pattern(/^(lno1|lnbc)[0-9a-z]+$/, 'must be a BOLT12 offer')],
      bank: [
        // Bech32's alphabet, without a checksum.
        { accepts: (offer) => /^lno1[02-9ac-hj-np-z]+$/.test(offer), message: 'is not a BOLT12 offer' },
      ],
    }),
    lightningAddress: field({
      maxLength: 320,
      clean: (text) => lowerCase(withoutScheme(text)),
      shape: [
        {
          accepts: (address) => !address.startsWith('$'),
          message: 'is a UMA address: use a UMA destination instead',
        },
        pattern(
          /^[a-z0-9._+-]+@[a-z0-9-]+(\.[a-z0-9-]+)*$/,
          'must be a Lightning address such as name@wallet.example',
        ),
      ],
    }),
  },
  identifiers: [
    { field: 'invoice', rails: [], canonical: paymentHashOf },
    { field: 'bolt12', rails: [] },
    { field: 'lightningAddress', rails: [] },
  ],
  takesExactlyOne: true,
  refuseBank(info, { now }, refuse) {
    const invoice = textOf(info, 'invoice')
    const content = invoice === undefined ? undefined : readInvoice(invoice)
    if (content && content.expiresAt <= now) refuse('invoice', 'has expired')
  },
  funding: { fields: { invoice: required(text(4096)) }, replacesFields: true, reference: 'NONE' },
  example: { lightningAddress: 'amina@wallet.example' },
})
