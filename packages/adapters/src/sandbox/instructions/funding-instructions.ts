import {
  type AccountInfo,
  findAccountType,
  type PaymentInstructions,
  textOf,
} from '@corridor/engine/reference/account-types/index.ts'
import { depositNetworksOf } from '@corridor/engine/reference/rails/index.ts'
import { assert } from '@corridor/kernel'
import { bankCoordinates } from './bank-coordinates.ts'
import {
  bitcoinAddress,
  evmAddress,
  type Randomness,
  solanaAddress,
  sparkAddress,
  tronAddress,
} from './coordinates.ts'

/** Dollar and euro accounts are also funded in an instant by this stablecoin on this chain (accounts 3.3). */
const alsoFundedByUsdc: ReadonlySet<string> = new Set(['USD', 'EUR', 'DKK'])

/**
 * Where money for one internal account is sent (accounts 3.3).
 */
export function fundingInstructions(
  world: Randomness,
  account: { readonly currency: string; readonly reference: string },
): PaymentInstructions[] {
  const { currency, reference } = account
  const infos = [
    ...bankEntries(world, currency, reference),
    ...walletEntries(world, currency),
    ...(alsoFundedByUsdc.has(currency) ? [walletEntry('SOLANA', 'USDC', solanaAddress(world))] : []),
  ]
  return infos.map(withNotes)
}

/** Adds what the payer must know; only entries with a reference need words. */
export function withNotes(info: AccountInfo): PaymentInstructions {
  const reference = textOf(info, 'reference')
  if (reference === undefined) return { accountOrWalletInfo: info }
  return {
    accountOrWalletInfo: info,
    instructionsNotes: `Include the reference ${reference} in the payment. Without it the payment cannot be matched to this account.`,
  }
}

/** The account's coordinates in the local banking system, with the rails they are reached over. */
export function bankEntries(
  world: Randomness,
  currency: string,
  reference: string,
  amountMinor?: bigint,
): AccountInfo[] {
  const info = bankCoordinates(world, { currency, reference, ...(amountMinor ? { amountMinor } : {}) })
  return info ? [withRails(info)] : []
}

/** Entries that stand for something else, such as a code or a page, show no rails. */
function withRails(info: AccountInfo): AccountInfo {
  const type = findAccountType(info.accountType)
  const isNamed = textOf(info, 'qrCode') === undefined && textOf(info, 'paymentUrl') === undefined
  return type && isNamed ? { ...info, paymentRails: [...type.rails(info)] } : info
}

/** Chains on which one key has one address. */
const evmNetworks: ReadonlySet<string> = new Set(['BASE', 'POLYGON', 'ETHEREUM', 'PLASMA'])

/** One entry for each chain, even where they share an address: what is sent on another chain is lost. */
function walletEntries(world: Randomness, asset: string): AccountInfo[] {
  let sharedEvmAddress: string | undefined
  return depositNetworksOf(asset).map((network) => {
    if (network === 'BITCOIN') return bitcoinEntry(world)
    if (!evmNetworks.has(network)) return walletEntry(network, asset, freshAddress(world, network))
    sharedEvmAddress ??= evmAddress(world)
    return walletEntry(network, asset, sharedEvmAddress)
  })
}

export function walletEntry(network: string, assetType: string, address: string): AccountInfo {
  const accountType = `${network}_WALLET`
  assert(findAccountType(accountType), `${network} has wallets`)
  return { accountType, assetType, address }
}

export function bitcoinEntry(world: Randomness): AccountInfo {
  return { accountType: 'BITCOIN_L1', address: bitcoinAddress(world), network: 'BITCOIN' }
}

/** A fresh address on a chain that wallets exist for. */
export function freshAddress(world: Randomness, network: string): string {
  if (network === 'SPARK') return sparkAddress(world)
  if (network === 'SOLANA') return solanaAddress(world)
  if (network === 'TRON') return tronAddress(world)
  assert(evmNetworks.has(network), `${network} has addresses`)
  return evmAddress(world)
}
