export { lowerAscii, typedCode, upperAscii } from './ascii.ts'
export { assert, assertNever } from './assert.ts'
export { base64url } from './base64url.ts'
export type { FieldConstraint, FieldError } from './field-error.ts'
export { GatheredBytes, gatherBody } from './gathered-bytes.ts'
export { type Id, type IdKind, type IdKinds, isId, isUuid } from './ids.ts'
export { defineMachine, type Machine, stateAfter, statesBefore, step } from './machine.ts'
export { largestWireMinor, mulDivCeil, mulDivFloor, mulDivHalfUp, toWireAmount } from './money.ts'
export { divideRates, multiplyRates, one, parseRate, type Rate, rate, toDecimal } from './rate.ts'
export { failed, ok, type Result } from './result.ts'
export { type Schedule, scheduleOf } from './schedule.ts'
export {
  type Exchange,
  type ExchangedAnswer,
  type ExchangeTimes,
  type Instant,
  type Log,
  makeWorld,
  silentLog,
  toTimestamp,
  type World,
} from './world.ts'
