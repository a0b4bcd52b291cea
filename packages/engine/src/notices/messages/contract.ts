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
    code: Type.Optional(Type.String({ description: 'What its reader is to type in, out of the text.' })),
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

export const SandboxInboxWait = Type.Object(
  { message: Type.Optional(Message) },
  { $id: 'SandboxInboxWait', description: 'Without a message where none came in time.' },
)

export const waitForSandboxMessage = operation({
  id: 'waitForSandboxMessage',
  method: 'GET',
  path: '/sandbox/inbox/wait',
  tag: 'Sandbox',
  summary: 'Wait for a message to an end user',
  description:
    'Answers with the first message that fits and is not older than `after`, as soon as it is there. Read the time of the sandbox, do what sends the message, then wait for it: what came in between is found. By `to` alone a thousand messages are looked through at most: of more, name the `customerId` too. At most 20 of a platform wait at the same time, its forks among them. A server whose secrets come from a seed takes one request at a time and waits for nothing.',
  auth: 'basic',
  sandboxOnly: true,
  permissions: ['VIEW'],
  query: Type.Object({
    to: Type.Optional(plainText({ description: 'The address or number that it goes to, as it was given.' })),
    purpose: Type.Optional(plainText({ examples: ['CONTACT_VERIFICATION'] })),
    customerId: Type.Optional(idOf('Customer')),
    channel: Type.Optional(MessageChannel),
    after: Type.Optional(
      timestamp({ description: 'On the clock of the sandbox; the moment of the call when absent.' }),
    ),
    seconds: Type.Integer({ minimum: 0, maximum: 25, description: 'How long to wait, in real time.' }),
  }),
  responses: { 200: SandboxInboxWait },
  errors: [],
  extension: true,
})
