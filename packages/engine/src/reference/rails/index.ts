export { chooseRail } from './choose-rail.ts'
export {
  depositNetworksOf,
  estimateWithdrawal,
  isNetworkId,
  type NetworkId,
  networkOf,
  networksCarrying,
} from './networks.ts'
export type { Rail } from './rail.ts'
export { isBankRail, isRailId, type PaymentRail, paymentRails, type RailId, railOf, rails } from './rails.ts'
export { toRemittanceText } from './remittance.ts'
export { isSepaCountry, sepaCountries } from './sepa-countries.ts'
export { settlementEstimate } from './settlement-estimate.ts'
