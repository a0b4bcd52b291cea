export { admit } from './admission.ts'
export { fromMsats, toMsats } from './agreement.ts'
export { backingSignatures, serviceIdentity } from './backing.ts'
export { findCallbackAddress, newCallbackAddress, tellPeer } from './callbacks.ts'
export { certificateOf } from './certificates.ts'
export {
  type AgreedPayment,
  lookUpAtPeer,
  lookupFailure,
  type PayRequest,
  type PeerReceiver,
  payRequestFailure,
  requestPayment,
} from './client.ts'
export {
  type Counterparty,
  cameAsExpected,
  findBacked,
  findCounterparty,
  settlesBilaterally,
} from './counterparties.ts'
export { countCredit } from './credit.ts'
export { exchangeWith } from './exchange.ts'
export { fromUmaKey, isPayerField, toUmaKey } from './fields.ts'
export { type LightningSettlement, payOverLightning, trackOverLightning } from './lightning.ts'
export { identityOf, sealedUmaKeys, type UmaIdentity } from './own-keys.ts'
export { type PeerPayment, settleWithPeer } from './settlement.ts'
export { majorOf, supportedMajors, type UmaMajor, umaVersions } from './versions.ts'
export {
  decryptWith,
  descriptionHashOf,
  hashOf,
  isDomain,
  isPeerAddress,
  readBackingSignatures,
  readMultiplier,
  signParts,
  writeInvoice,
} from './wire.ts'
