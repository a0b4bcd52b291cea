import Type, { type Static } from 'typebox'
import { operation } from '../../vocabulary/operation.ts'
import {
  enumOf,
  idOf,
  listOf,
  paging,
  plainText,
  repeatable,
  timeFilters,
  timestamp,
} from '../../vocabulary/shapes.ts'

export const MessageChannel = enumOf(['EMAIL', 'SMS'], { $id: 'MessageChannel' })

const MessageSender = Type.Object(
  { name: Type.String(), replyTo: Type.Optional(Type.String()), logoUrl: Type.Optional(Type.String()) },
  {
    $id: 'MessageSender',
    description: 'Sender of the e-mail, if the sender is not the operator.',
  },
)

export const Message = Type.Object(
  {
    id: idOf('Message'),
    customerId: Type.Optional(idOf('Customer')),
    channel: MessageChannel,
    purpose: Type.String({ description: 'Purpose of the message.', examples: ['CONTACT_VERIFICATION'] }),
    status: enumOf(['QUEUED', 'SENT', 'FAILED', 'EXPIRED'], { $id: 'MessageStatus' }),
    to: Type.Optional(
      Type.String({
        description: 'Absent, like subject and text, if Corridor can no longer decrypt the message.',
      }),
    ),
    subject: Type.Optional(Type.String()),
    sender: Type.Optional(MessageSender),
    text: Type.Optional(Type.String()),
    code: Type.Optional(Type.String({ description: 'Code that the text contains.' })),
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
  summary: 'List messages that end users would have received',
  description: 'The sandbox does not send e-mails or SMS. This list contains the messages instead.',
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

export const SandboxInboxWait = Type.Object(
  { message: Type.Optional(Message) },
  { $id: 'SandboxInboxWait', description: 'Absent if no message arrived in time.' },
)

export const waitForSandboxMessage = operation({
  id: 'waitForSandboxMessage',
  method: 'GET',
  path: '/sandbox/inbox/wait',
  tag: 'Sandbox',
  summary: 'Wait for a message to an end user',
  description:
    'Responds as soon as there is a matching message that is not older than `after`. To avoid missing a message, read the sandbox clock, trigger the message, then send the time that you read as `after`. A search by `to` alone covers at most a thousand messages. If there are more, also send the `customerId`. At most 20 requests from a platform and its forks can wait at the same time. A server with a seed handles one request at a time, so it responds immediately instead of waiting.',
  auth: 'basic',
  sandboxOnly: true,
  permissions: ['VIEW'],
  query: Type.Object({
    to: Type.Optional(
      plainText({ description: 'E-mail address or phone number of the recipient, exactly as you sent it.' }),
    ),
    purpose: Type.Optional(plainText({ examples: ['CONTACT_VERIFICATION'] })),
    customerId: Type.Optional(idOf('Customer')),
    channel: Type.Optional(MessageChannel),
    after: Type.Optional(
      timestamp({ description: 'Time on the sandbox clock. Default: the time of the request.' }),
    ),
    seconds: Type.Integer({ minimum: 0, maximum: 25, description: 'Maximum time to wait, in real time.' }),
  }),
  responses: { 200: SandboxInboxWait },
  errors: [],
  extension: true,
})
