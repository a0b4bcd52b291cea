import { EVM_ADDRESS, EXAMPLE_EVM_ADDRESS, wallet } from './wallet.ts'

/** A wallet on Plasma, which has Ethereum's addresses (accounts 4.5). */
export const plasma = wallet({
  network: 'PLASMA',
  currencies: ['USDT'],
  address: EVM_ADDRESS,
  example: EXAMPLE_EVM_ADDRESS,
})
