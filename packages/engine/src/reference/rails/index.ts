export { chooseRail, isWithinBounds } from './choose-rail.ts'
export {
  depositNetworksOf,
  estimateWithdrawal,
  isNetworkId,
  type NetworkId,
  networkOf,
  networks,
  networksCarrying,
} from './networks.ts'
export { isBankRail, isInstant, isRailId, type Rail, type RailId, railOf, rails } from './rails.ts'
export { settlementEstimate } from './settlement-estimate.ts'
