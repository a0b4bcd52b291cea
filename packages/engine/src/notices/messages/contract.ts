import Type, { type Static } from 'typebox'
import { operation } from '../../vocabulary/operation.ts'
import { enumOf, idOf, listOf, paging, repeatable, timeFilters, timestamp } from '../../vocabulary/shapes.ts'

export const MessageChannel = enumOf(['EMAIL', 'SMS'], { $id: 'MessageChannel' })

const MessageSender = Type.Object(
  { name: Type.String(), replyTo: Type.Optional(Type.String()), logoUrl: Type.Optional(Type.String()) },
  {
    $id: 'MessageSender',
    description: 'Whom its reader has an e-mail from, where that is not the operator.',
  },
)

export const Message = Type.Object(
  {
    id: idOf('Message'),
    customerId: Type.Optional(idOf('Customer')),
    channel: MessageChannel,
    purpose: Type.String({ description: 'What it is about.', examples: ['CONTACT_VERIFICATION'] }),
    status: enumOf(['QUEUED', 'SENT', 'FAILED', 'EXPIRED'], { $id: 'MessageStatus' }),
    to: Type.Optional(
      Type.String({ description: 'Absent, like subject and text, where it cannot be read any more.' }),
    ),
    subject: Type.Optional(Type.String()),
    sender: Type.Optional(MessageSender),
    text: Type.Optional(Type.String()),
    lastError: Type.Optional(Type.String()),
    createdAt: timestamp(),
    updatedAt: timestamp(),
  },
  { $id: 'Message', description: 'An e-mail or SMS to an end user.' },
)
export type Message = Static<typeof Message>

export const listSandboxInbox = operation({
  id: 'listSandboxInbox',
  method: 'GET',
  path: '/sandbox/inbox',
  tag: 'Sandbox',
  summary: 'Read the messages that end users would have received',
  description: 'The sandbox sends no e-mail and no SMS; everything that would have gone out is here.',
  auth: 'basic',
  sandboxOnly: true,
  permissions: ['VIEW'],
  query: Type.Object({
    customerId: Type.Optional(repeatable(idOf('Customer'))),
    channel: Type.Optional(repeatable(MessageChannel)),
    ...timeFilters,
    ...paging,
  }),
  responses: { 200: listOf('SandboxInbox', Message) },
  errors: [],
  extension: true,
})
