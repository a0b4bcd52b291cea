import { type Id, type Instant, toTimestamp } from '@corridor/kernel'
import { statement } from '../../mechanisms/db/driver.ts'
import type { Engine } from '../../mechanisms/feature/engine.ts'
import { type DataKey, sealedKeyOf } from '../../mechanisms/keys/data-keys.ts'
import type { SealedColumn } from '../../mechanisms/keys/sealing.ts'
import { defineList, equals, timeConditions } from '../../mechanisms/lists/list.ts'
import type { PageRequest } from '../../mechanisms/lists/pages.ts'
import type { EmailSender, MessageChannel } from '../../ports/messenger.ts'
import type { Book } from '../../vocabulary/scope.ts'

export interface Message {
  readonly id: Id<'Message'>
  readonly version: bigint
  readonly ownerId: string
  readonly channel: MessageChannel
  readonly purpose: string
  readonly status: MessageStatus
  /** Null once it was sent to where it belongs, and once its owner was erased. */
  readonly content: MessageContent | null
  readonly lastError: string | null
  readonly createdAt: Instant
  readonly updatedAt: Instant
  readonly expiresAt: Instant
}

export type MessageStatus = 'QUEUED' | 'SENT' | 'FAILED' | 'EXPIRED'

export interface MessageContent {
  readonly to: string
  /** Of an e-mail. */
  readonly subject?: string
  readonly sender?: EmailSender
  readonly text: string
  /** What is to be typed in, where the text has it. */
  readonly code?: string
}

type Vault = Pick<Engine, 'database' | 'keys'>
type MessageRow = Omit<Message, 'content'> & {
  readonly content: string | null
  readonly sealedKey: string | null
}

export const sealedContents: SealedColumn = {
  table: 'messages',
  column: 'content',
  row: 'id',
  owner: 'owner_id',
  formerly: '{row}',
}

export function sealContent(key: DataKey, id: string, content: MessageContent): string {
  return key.seal(sealedContents, id, JSON.stringify(content))
}

function open({ keys }: Vault, book: Book, { sealedKey, content, ...row }: MessageRow): Message {
  const isReadable = sealedKey !== null && content !== null
  return {
    ...row,
    content: isReadable
      ? (JSON.parse(
          keys.dataKey(book, row.ownerId, sealedKey).open(sealedContents, row.id, content),
        ) as MessageContent)
      : null,
  }
}

const newerAtOnce = 50
const columns = `id, version, owner_id as "ownerId", channel, purpose, status, content,
  last_error as "lastError", created_at as "createdAt", updated_at as "updatedAt", expires_at as "expiresAt",
  ${sealedKeyOf('messages', 'owner_id')} as "sealedKey"`

const load = statement(
  'messages.load',
  `select ${columns} from messages where platform_id = $1 and environment = $2 and id = $3`,
)

export async function loadMessage(vault: Vault, book: Book, id: string): Promise<Message | undefined> {
  const parameters = [book.platformId, book.environment, id]
  const [row] = await vault.database.read<MessageRow>(book, load, parameters)
  return row && open(vault, book, row)
}

const list = defineList<MessageRow>()({
  name: 'messages.list',
  table: 'messages',
  columns,
  filters: { customerId: equals('owner_id'), channel: equals('channel'), ...timeConditions },
})

export async function listMessages(
  vault: Vault,
  book: Book,
  filters: Parameters<typeof list.read>[2],
  page: PageRequest,
): Promise<{ rows: Message[]; totalCount: number }> {
  const { rows, totalCount } = await list.read(vault.database, book, filters, page)
  return { rows: rows.map((row) => open(vault, book, row)), totalCount }
}

const newer = statement(
  'messages.newer',
  `select ${columns} from messages
   where platform_id = $1 and environment = $2 and created_at >= $3 and not id = any($4)
     and ($5::text is null or owner_id = $5) and ($6::text is null or channel = $6)
     and ($7::text is null or purpose = $7)
   order by created_at, id limit ${newerAtOnce}`,
)

/** What came at an instant or later, the first one first and at most fifty, but for those that were looked at before. */
export async function listNewer(
  vault: Vault,
  book: Book,
  after: Instant,
  asked: {
    readonly except: readonly string[]
    readonly customerId?: string
    readonly channel?: MessageChannel
    readonly purpose?: string
  },
): Promise<Message[]> {
  const { except, customerId = null, channel = null, purpose = null } = asked
  const { platformId, environment } = book
  const parameters = [platformId, environment, toTimestamp(after), except, customerId, channel, purpose]
  const rows = await vault.database.read<MessageRow>(book, newer, parameters)
  return rows.map((row) => open(vault, book, row))
}
