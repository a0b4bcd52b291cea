import { EVM_ADDRESS, EXAMPLE_EVM_ADDRESS, wallet } from './wallet.ts'

/** A wallet on Base (accounts 4.5). */
export const base = wallet({
  network: 'BASE',
  currencies: ['USDC'],
  address: EVM_ADDRESS,
  example: EXAMPLE_EVM_ADDRESS,
})
