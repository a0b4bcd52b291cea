export { currencies } from './currencies.ts'
export {
  canFundInRealtime,
  canNameCoin,
  coinDecimals,
  currencyOf,
  decimalsOf,
  defaultPayoutRail,
  findCurrency,
  formatMinor,
  isCrypto,
  isCurrencyCode,
  isFiat,
  isPegged,
  isStablecoin,
  toCurrency,
} from './lookup.ts'
