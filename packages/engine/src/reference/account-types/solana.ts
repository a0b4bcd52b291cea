import { wallet } from './wallet.ts'
import { isSolanaAddress } from './wallet-addresses.ts'

/** A wallet on Solana (accounts 4.5). */
export const solana = wallet({
  network: 'SOLANA',
  currencies: ['USDC', 'USDT'],
  address: {
    // An address of Ethereum would fit the bounds; base58 has no 0, so none of Solana begins like one.
    form: /^(?!0x)[0-9A-Za-z]{32,44}$/,
    words: '32 to 44 letters and digits',
    isGenuine: isSolanaAddress,
  },
  example: '4Nd1m6Qkq7RfKuE5vQ9qP9Tn6H94Ueqb4xXHzsAbd8Wg',
})
