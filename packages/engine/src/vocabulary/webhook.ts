import Type, { type Static, type TSchema } from 'typebox'
import { enumOf, idOf, partOf, timestamp } from './shapes.ts'

/** The `type` of every event that a platform can receive (cards 3.3). */
export const EventType = enumOf(
  [
    'OUTGOING_PAYMENT.PENDING',
    'OUTGOING_PAYMENT.PENDING_AUTHORIZATION',
    'OUTGOING_PAYMENT.PROCESSING',
    'OUTGOING_PAYMENT.COMPLETED',
    'OUTGOING_PAYMENT.FAILED',
    'OUTGOING_PAYMENT.EXPIRED',
    'OUTGOING_PAYMENT.REFUND_PENDING',
    'OUTGOING_PAYMENT.REFUND_COMPLETED',
    'OUTGOING_PAYMENT.REFUND_FAILED',
    'INCOMING_PAYMENT.PENDING',
    'INCOMING_PAYMENT.COMPLETED',
    'INCOMING_PAYMENT.FAILED',
    'INCOMING_PAYMENT.REFUND_PENDING',
    'INCOMING_PAYMENT.REFUND_COMPLETED',
    'INCOMING_PAYMENT.REFUND_FAILED',
    'CUSTOMER.KYC_APPROVED',
    'CUSTOMER.KYC_REJECTED',
    'CUSTOMER.KYC_PENDING',
    'CUSTOMER.KYB_APPROVED',
    'CUSTOMER.KYB_REJECTED',
    'CUSTOMER.KYB_PENDING',
    'VERIFICATION.APPROVED',
    'VERIFICATION.REJECTED',
    'VERIFICATION.RESOLVE_ERRORS',
    'VERIFICATION.IN_PROGRESS',
    'VERIFICATION.PENDING_MANUAL_REVIEW',
    'VERIFICATION.READY_FOR_VERIFICATION',
    'EXTERNAL_ACCOUNT.STATUS_UPDATED',
    'INTERNAL_ACCOUNT.BALANCE_UPDATED',
    'INTERNAL_ACCOUNT.STATUS_UPDATED',
    'INTERNAL_ACCOUNT.FUNDING_INSTRUCTIONS_UPDATED',
    'RECEIVABLE.CREATED',
    'RECEIVABLE.UPDATED',
    'INVITATION.CLAIMED',
    'BULK_UPLOAD.COMPLETED',
    'BULK_UPLOAD.FAILED',
    'AGENT_ACTION.PENDING_APPROVAL',
    'CARD.STATE_CHANGE',
    'CARD.FUNDING_SOURCE_CHANGE',
    'CARD_TRANSACTION.AUTHORIZED',
    'CARD_TRANSACTION.PARTIALLY_SETTLED',
    'CARD_TRANSACTION.SETTLED',
    'CARD_TRANSACTION.REFUNDED',
    'CARD_TRANSACTION.EXCEPTION',
    'TEST',
  ],
  { $id: 'WebhookType' },
)
export type EventType = Static<typeof EventType>

/** A family of events that share the shape of their data; one entry of the document's webhooks. */
export interface Webhook {
  /** kebab-case; the key in the published document. */
  readonly name: string
  readonly id: string
  readonly summary: string
  readonly description?: string
  /** The types of the family, with when each is sent. */
  readonly types: Readonly<Partial<Record<EventType, string>>>
  /** Name of the component that describes the whole body. */
  readonly component: string
  /** The whole body: id, type, timestamp and data. */
  readonly payload: TSchema
  /** Answers of the endpoint that mean more than "received", with their body. */
  readonly answers?: Readonly<Record<number, { readonly description: string; readonly body?: TSchema }>>
}

/** Declares a family of events; the body has the envelope of cards 3.1 around `data`. */
export function webhook<D extends TSchema>(declaration: Omit<Webhook, 'payload'> & { data: D }) {
  const { data, ...rest } = declaration
  const types = Object.keys(declaration.types) as EventType[]
  const payload = Type.Object(
    {
      id: idOf('Webhook'),
      type: partOf(EventType, ...types),
      timestamp: timestamp({ description: 'Time at which Corridor first sent the event.' }),
      data,
    },
    { $id: declaration.component },
  )
  return { ...rest, payload } satisfies Webhook
}
