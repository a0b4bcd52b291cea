import { createCipheriv, createDecipheriv } from 'node:crypto'
import { assert, type World } from '@corridor/kernel'
import type { Book } from '../../vocabulary/scope.ts'
import { inflate, pack, unpack, worthPacking } from './packing.ts'

const nonceBytes = 12
const tagBytes = 16

export type Randomness = Pick<World, 'randomBytes'>

/**
 * AES-256-GCM with a random nonce: nonce, tag and ciphertext. `context` is authenticated with them, so that
 * what was sealed for one place does not open in another.
 */
export function sealBytes(bytes: Uint8Array, key: Uint8Array, world: Randomness, context = ''): Buffer {
  const nonce = world.randomBytes(nonceBytes)
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(context))
  const ciphertext = Buffer.concat([cipher.update(bytes), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), ciphertext])
}

export function openBytes(sealed: Uint8Array, key: Uint8Array, context = ''): Buffer {
  assert(sealed.length >= nonceBytes + tagBytes, 'a sealed text has a nonce and a tag')
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, nonceBytes))
  decipher.setAAD(Buffer.from(context)).setAuthTag(sealed.subarray(nonceBytes, nonceBytes + tagBytes))
  return Buffer.concat([decipher.update(sealed.subarray(nonceBytes + tagBytes)), decipher.final()])
}

/**
 * A column whose texts are sealed. Every text is bound to its place: table, column, row, platform and
 * environment are authenticated with it, so a copy in any other place does not open.
 *
 * A feature declares its columns once, seals and opens by them, and lists them in
 * `assembly/sealed-columns.ts`, from where the rotation of the master key finds every sealed text.
 */
export interface SealedColumn {
  readonly table: string
  readonly column: string
  /** SQL of what tells the row from the others of its platform; the same text is `row` in seal and open. */
  readonly row: string
  /** SQL of whose data key seals the texts. Absent: the installation's key for this table and platform. */
  readonly owner?: string
  /** What texts of the older form were bound to, with `{row}` in place of the row. */
  readonly formerly?: string
  /** SQL that leaves out rows whose text is not sealed. */
  readonly where?: string
  /** Whether long texts are compressed before they are sealed; how long one was then shows only roughly. */
  readonly isPacked?: true
  /** Whether the table belongs to no platform; its rows name their environment. */
  readonly isOfInstallation?: true
}

/** Opens with the key that its text names. */
export interface SealingKey {
  /** Lower-case letters, digits, `-` and `_`; stands at the front of every text that it has sealed. */
  readonly id: string
  readonly secret: Uint8Array
}

/**
 * The form `2.<key id>.<base64url>`, and `2.<key id>.<base64url>.p2` of a text that was packed; `.p1` of one that was packed
 * with DEFLATE. Texts without the front are of the older form, which names no key.
 */
const form = '2'
const packedMark = '.p2'
const deflatedMark = '.p1'

/** What a text is sealed for, and how; JSON keeps the parts apart, whatever stands in them. */
function contextOf(
  keyId: string,
  book: Book,
  { table, column }: SealedColumn,
  row: string,
  mark: string,
): string {
  const parts = [form, keyId, book.platformId, book.environment, table, column, row]
  return JSON.stringify(mark === '' ? parts : [...parts, mark])
}

export function sealAt(
  key: SealingKey,
  world: Randomness,
  at: { readonly book: Book; readonly column: SealedColumn; readonly row: string },
  text: string,
): string {
  const isPacked = at.column.isPacked && text.length >= worthPacking
  const mark = isPacked ? packedMark : ''
  const context = contextOf(key.id, at.book, at.column, at.row, mark)
  const sealed = sealBytes(isPacked ? pack(text) : Buffer.from(text, 'utf8'), key.secret, world, context)
  return `${form}.${key.id}.${sealed.toString('base64url')}${mark}`
}

/** Throws for a text that was sealed for another place or with another key, or that was changed. */
export function openAt(
  key: SealingKey,
  at: { readonly book: Book; readonly column: SealedColumn; readonly row: string },
  sealed: string,
): string {
  assert(keyIdOf(sealed) === key.id, 'a sealed text is opened with the key that it names')
  const mark = [packedMark, deflatedMark].find((each) => sealed.endsWith(each)) ?? ''
  const from = form.length + key.id.length + 2
  const bytes = Buffer.from(sealed.slice(from, sealed.length - mark.length), 'base64url')
  const opened = openBytes(bytes, key.secret, contextOf(key.id, at.book, at.column, at.row, mark))
  if (mark === '') return opened.toString('utf8')
  return mark === packedMark ? unpack(opened) : inflate(opened)
}

/** The key that a text names; undefined for one of the older form. */
export function keyIdOf(sealed: string): string | undefined {
  if (!sealed.startsWith(`${form}.`)) return undefined
  return sealed.slice(form.length + 1, sealed.indexOf('.', form.length + 1))
}

/** The front of every text that a key has sealed. */
export function frontOf(keyId: string): string {
  return `${form}.${keyId}.`
}

/** Opens a text of the older form. */
export function openFormer(sealed: string, key: Uint8Array, context = ''): string {
  return openBytes(Buffer.from(sealed, 'base64url'), key, context).toString('utf8')
}

/** The older form, for tests and for what stands in no column. */
export function sealFormer(text: string, key: Uint8Array, world: Randomness, context = ''): string {
  return sealBytes(Buffer.from(text, 'utf8'), key, world, context).toString('base64url')
}

export function formerContext({ formerly = '' }: SealedColumn, row: string): string {
  return formerly.replace('{row}', () => row)
}
