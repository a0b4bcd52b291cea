import { lowerBech32, required, text } from './fields.ts'
import { wallet } from './wallet.ts'
import { isSparkAddress } from './wallet-addresses.ts'

/** A wallet on Spark, for bitcoin and USDB (accounts 4.5). */
export const spark = wallet({
  network: 'SPARK',
  currencies: ['BTC', 'USDB'],
  address: {
    form: /^(sparkrt|spark|sprt|sp)1[0-9A-Za-z]{10,110}$/i,
    words: 'spark1 (or sp1, and sparkrt1 or sprt1 on a test network) and its data part',
    isGenuine: isSparkAddress,
    clean: lowerBech32,
  },
  funding: { assetType: required(text(16)), invoice: text(4096, 'A Lightning or Spark invoice.') },
  example: 'spark1qv9pzxqlyckngw6zf9g9whn9d3eh4qvg37tfmf9tk2uup37w6hww86h3lqvvxgw7',
})
