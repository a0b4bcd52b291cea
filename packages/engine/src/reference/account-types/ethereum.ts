import { EVM_ADDRESS, EXAMPLE_EVM_ADDRESS, wallet } from './wallet.ts'

/** A wallet on Ethereum (accounts 4.5). */
export const ethereum = wallet({
  network: 'ETHEREUM',
  currencies: ['USDC', 'USDT'],
  address: EVM_ADDRESS,
  example: EXAMPLE_EVM_ADDRESS,
})
