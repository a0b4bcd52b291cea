import { wallet } from './wallet.ts'
import { isTronAddress } from './wallet-addresses.ts'

/** A wallet on Tron (accounts 4.5). */
export const tron = wallet({
  network: 'TRON',
  currencies: ['USDT'],
  address: { form: /^T[0-9A-Za-z]{33}$/, words: 'T and 33 letters and digits', isGenuine: isTronAddress },
  example: 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t',
})
