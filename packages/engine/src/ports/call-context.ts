import type { Book, Scope } from '../vocabulary/scope.ts'

/**
 * The work for which Corridor calls a third party. Clients of real third parties ignore it. Decorators of a sandbox select the calls
 * that they change by it (docs/adr/0039).
 */
export interface CallContext {
  readonly scope: Book & Pick<Scope, 'request'>
  /** Id of the payment, quote, event, message or customer. Every attempt has the same one. */
  readonly id: string
  readonly customerIds?: readonly string[]
  readonly accountIds?: readonly string[]
  /** In minor units. */
  readonly amount?: bigint
  /** The command that calls. One object, however often the command is decided again because data changed. */
  readonly command?: object
}
