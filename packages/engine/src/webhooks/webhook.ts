import Type, { type Static, type TSchema } from 'typebox'
import { enumOf, idOf, timestamp } from '../http/shapes.ts'

/** A family of events that share the shape of their data; one entry of the document's webhooks. */
export interface Webhook {
  /** kebab-case; the key in the published document. */
  readonly name: string
  readonly id: string
  readonly summary: string
  readonly description?: string
  /** The `type` of each event, with when it is sent. */
  readonly types: Readonly<Record<string, string>>
  /** The whole body: id, type, timestamp and data. */
  readonly payload: TSchema
  /** Answers of the endpoint that mean more than "received", with their body. */
  readonly answers?: Readonly<Record<number, { readonly description: string; readonly body?: TSchema }>>
}

/** Declares a family of events; the body has the envelope of cards 3.1 around `data`. */
export function webhook<const T extends Readonly<Record<string, string>>, D extends TSchema>(
  declaration: Omit<Webhook, 'payload' | 'types'> & { types: T; component: string; data: D },
) {
  const { component, data, ...rest } = declaration
  const types = Object.keys(declaration.types) as (keyof T & string)[]
  const payload = Type.Object(
    {
      id: idOf('Webhook'),
      type: enumOf(types),
      timestamp: timestamp({ description: 'When the event was first sent.' }),
      data,
    },
    { $id: component },
  )
  return { ...rest, payload } as const
}

export type EventOf<W extends { payload: TSchema }> = Static<W['payload']>
