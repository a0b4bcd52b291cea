import type { Static } from 'typebox'
import { enumOf } from '../../vocabulary/shapes.ts'
import { paymentRails } from '../rails/index.ts'
import { CRYPTO_NETWORKS } from './account-type.ts'

export const PaymentRail = enumOf(paymentRails, { $id: 'PaymentRail' })
export type PaymentRail = Static<typeof PaymentRail>

export const CryptoNetwork = enumOf(CRYPTO_NETWORKS, { $id: 'CryptoNetwork' })
export type CryptoNetwork = Static<typeof CryptoNetwork>
