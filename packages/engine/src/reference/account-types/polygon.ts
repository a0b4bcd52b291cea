import { EVM_ADDRESS, EXAMPLE_EVM_ADDRESS, wallet } from './wallet.ts'

/** A wallet on Polygon (accounts 4.5). */
export const polygon = wallet({
  network: 'POLYGON',
  currencies: ['USDC'],
  address: EVM_ADDRESS,
  example: EXAMPLE_EVM_ADDRESS,
})
