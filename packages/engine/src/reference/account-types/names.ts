import { Type } from 'typebox'

/** Every canonical `accountType`. Stated once more than in the variants, because each refers to the whole list. */
const NAMES = [
  'AED_ACCOUNT',
  'BDT_ACCOUNT',
  'BRL_ACCOUNT',
  'BWP_ACCOUNT',
  'CAD_ACCOUNT',
  'CNY_ACCOUNT',
  'COP_ACCOUNT',
  'DKK_ACCOUNT',
  'EGP_ACCOUNT',
  'EUR_ACCOUNT',
  'GBP_ACCOUNT',
  'GHS_ACCOUNT',
  'GTQ_ACCOUNT',
  'HKD_ACCOUNT',
  'HTG_ACCOUNT',
  'IDR_ACCOUNT',
  'ILS_ACCOUNT',
  'INR_ACCOUNT',
  'JMD_ACCOUNT',
  'KES_ACCOUNT',
  'MWK_ACCOUNT',
  'MXN_ACCOUNT',
  'MYR_ACCOUNT',
  'NGN_ACCOUNT',
  'PHP_ACCOUNT',
  'PKR_ACCOUNT',
  'RWF_ACCOUNT',
  'SGD_ACCOUNT',
  'SLV_ACCOUNT',
  'SWIFT_ACCOUNT',
  'THB_ACCOUNT',
  'TZS_ACCOUNT',
  'UGX_ACCOUNT',
  'USD_ACCOUNT',
  'VND_ACCOUNT',
  'XAF_ACCOUNT',
  'XOF_ACCOUNT',
  'ZAR_ACCOUNT',
  'ZMW_ACCOUNT',
  'BASE_WALLET',
  'ETHEREUM_WALLET',
  'PLASMA_WALLET',
  'POLYGON_WALLET',
  'SOLANA_WALLET',
  'SPARK_WALLET',
  'TRON_WALLET',
  'LIGHTNING',
]
/** Older names of USD_ACCOUNT, MXN_ACCOUNT and LIGHTNING (accounts 4.3). */
const ALIASES = ['US_ACCOUNT', 'CLABE', 'LIGHTNING_ACCOUNT']
/** Ways to be paid that cannot be the account of somebody else (accounts 3.3). */
const FUNDING_ONLY = ['US_ACCOUNT', 'ARS_ACCOUNT', 'BITCOIN_L1', 'EMBEDDED_WALLET']

export const externalAccountType = Type.Enum([...NAMES, ...ALIASES], {
  $id: 'ExternalAccountType',
  type: 'string',
})
export const paymentAccountType = Type.Enum([...NAMES, ...FUNDING_ONLY], {
  $id: 'PaymentAccountType',
  type: 'string',
})
