import type { Static } from 'typebox'
import { enumOf } from '../../vocabulary/shapes.ts'
import { CRYPTO_NETWORKS, PAYMENT_RAILS } from './account-type.ts'

export const PaymentRail = enumOf(PAYMENT_RAILS, { $id: 'PaymentRail' })
export type PaymentRail = Static<typeof PaymentRail>

export const CryptoNetwork = enumOf(CRYPTO_NETWORKS, { $id: 'CryptoNetwork' })
export type CryptoNetwork = Static<typeof CryptoNetwork>
