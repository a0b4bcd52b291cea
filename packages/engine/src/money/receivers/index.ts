export { offeredCurrencies, purposeRefusal } from './rules.ts'
export { findAddressHolder, findLookup, type Lookup } from './store.ts'
export { parseReceiverAddress } from './uma-address.ts'
export { type ResolvedReceiver, resolveReceiver } from './uma-receiver.ts'
