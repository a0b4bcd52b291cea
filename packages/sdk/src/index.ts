export { type ClockMoved, type ClockWay, moveClock } from './clock.ts'
export { type AnyRequest, Corridor, type CorridorOptions } from './corridor.ts'
export {
  ConnectionError,
  type CorridorError,
  type ErrorCode,
  SignatureError,
  TimeoutError,
} from './errors.ts'
export type { components, operations, paths } from './generated/api.ts'
export type { ErrorDetails } from './generated/errors.ts'
export { eventTypes, type WebhookEvent } from './generated/events.ts'
export { operationTable } from './generated/operations.ts'
export { type Amount, formatMoney, money, toMinorUnits } from './money.ts'
export type { OperationRow } from './operation-row.ts'
export type { Answer, Body, Item, Query, RequestOptions } from './operation-types.ts'
export { type Page, PagedList } from './pages.ts'
export type { Runtime } from './runtime.ts'
export type { Transaction, WaitOptions } from './waiting.ts'
export { type HeadersLike, verifyWebhook, type WebhookVerification } from './webhooks.ts'
