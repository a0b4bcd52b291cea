import { lowerAscii } from '@corridor/kernel'
import type { CryptoNetwork } from './account-type.ts'
import { type DefinedAccountType, defineAccountType } from './define.ts'
import { choice, type Field, field, pattern, type Rule, required, text, trimCode } from './fields.ts'
import { isEvmAddress } from './wallet-addresses.ts'

/** Wallets copy an address as a link of their chain; a link with an amount or a contract means more than its address. */
const withoutScheme = (text: string) =>
  trimCode(text).replace(/^(ethereum|solana|tron|spark|polygon|base|plasma):(?=\w+$)/i, '')

/** A self-custody or hosted wallet on one chain (accounts 4.5, 4.9). */
export interface Wallet {
  readonly network: CryptoNetwork
  readonly currencies: readonly string[]
  readonly address: AddressRules
  /** Further fields of its funding instructions. */
  readonly funding?: Readonly<Record<string, Field>>
  readonly example: string
}

export interface AddressRules {
  /** Prefix and length over all letters and digits: chosen endings must stay possible (accounts 4.4). */
  readonly form: RegExp
  readonly words: string
  /** Alphabet, length and checksum, as the chain has them. */
  readonly isGenuine: Rule['accepts']
  readonly clean?: Field['clean']
  /** The form in which two spellings of one address are equal. */
  readonly canonical?: (address: string) => string
}

export function wallet({ network, currencies, address, funding, example }: Wallet): DefinedAccountType {
  const { canonical } = address
  return defineAccountType({
    name: `${network}_WALLET`,
    kind: 'WALLET',
    currencies,
    countries: [],
    network,
    fields: {
      address: required(
        field({
          maxLength: 128,
          shape: [pattern(address.form, `must be ${address.words}`)],
          bank: [{ accepts: address.isGenuine, message: `is not an address on ${network}` }],
          clean: (sent) => (address.clean ?? trimCode)(withoutScheme(sent)),
        }),
      ),
      vaspName: text(255, 'Provider that holds the keys. If absent, the wallet is a self-custody wallet.'),
    },
    identifiers: [{ field: 'address', rails: [], ...(canonical && { canonical }) }],
    funding: {
      fields: { address: required(text(128)), assetType: choice(currencies), ...funding },
      replacesFields: true,
      reference: 'NONE',
    },
    example: { address: example },
  })
}

/** Chains with Ethereum's addresses share one form. Case is only a checksum, so it is kept but not compared. */
export const EVM_ADDRESS: AddressRules = {
  form: /^0x[0-9A-Za-z]{40}$/,
  words: '0x and 40 characters',
  isGenuine: isEvmAddress,
  clean: (text) => trimCode(text).replace(/^0X/, '0x'),
  canonical: lowerAscii,
}

export const EXAMPLE_EVM_ADDRESS = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'
