import { createCipheriv, createDecipheriv, createHash } from 'node:crypto'
import { type FileHandle, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { GatheredBytes, type World } from '@corridor/kernel'
import { createTurns } from '../jobs/turns.ts'

/**
 * A file as it arrived: its name and type are what the sender says they are. It is on the disk and not in
 * memory, unless it is small.
 */
export class UploadedFile {
  readonly name: string
  readonly contentType: string
  readonly size: number
  /** SHA-256 of the content, in hexadecimal. */
  readonly digest: string
  /** The first bytes, by which types of files are known. */
  readonly head: Uint8Array
  readonly #content: Content

  constructor(
    about: { readonly name: string; readonly contentType: string },
    content: Content & { readonly size: number; readonly digest: string; readonly head: Uint8Array },
  ) {
    this.name = about.name
    this.contentType = about.contentType
    this.size = content.size
    this.digest = content.digest
    this.head = content.head
    this.#content = content
  }

  /** The content, piece by piece. */
  pieces(): AsyncIterable<Buffer> {
    return this.#content.pieces()
  }

  /**
   * The whole content, for work that needs it at once. However many uploads there are, few are held whole:
   * the others wait for their turn.
   */
  whole<T>(work: (bytes: Buffer) => Promise<T>): Promise<T> {
    return wholeFiles.take(async () => {
      const all: Buffer[] = []
      for await (const piece of this.pieces()) all.push(piece)
      return work(all.length === 1 ? all[0]! : Buffer.concat(all, this.size))
    })
  }
}

interface Content {
  readonly pieces: () => AsyncIterable<Buffer>
}

/** What came in some other form than as a file: text of a JSON body. */
export function fileOfBytes(about: { name: string; contentType: string }, bytes: Buffer): UploadedFile {
  return new UploadedFile(about, {
    size: bytes.length,
    digest: createHash('sha256').update(bytes).digest('hex'),
    head: bytes.subarray(0, headBytes),
    async *pieces() {
      yield bytes
    },
  })
}

const wholeFiles = createTurns(2)

/** The header of a PDF may stand this late. */
const headBytes = 1024
/** Up to this size a file stays in memory. */
const keptBytes = 64 * 1024
const readBytes = 256 * 1024

export type SpoolWorld = Pick<World, 'uuid' | 'randomBytes'>

/**
 * Takes the content of one upload in, piece by piece. What does not fit in memory goes to a file without a
 * name, sealed with a key that is nowhere but in this process: a crash leaves nothing to find.
 */
export class Spool {
  readonly #hash = createHash('sha256')
  readonly #world: SpoolWorld
  readonly #directory: string
  readonly #kept = new GatheredBytes(Number.MAX_SAFE_INTEGER)
  #isFinished = false
  #size = 0
  #head: Buffer = Buffer.alloc(0)
  #file:
    | { handle: FileHandle; cipher: ReturnType<typeof createCipheriv>; key: Uint8Array; nonce: Uint8Array }
    | undefined

  constructor(world: SpoolWorld, directory: string | undefined) {
    this.#world = world
    this.#directory = directory ?? tmpdir()
  }

  add(piece: Buffer): void {
    this.#hash.update(piece)
    this.#size += piece.length
    if (this.#head.length < headBytes) {
      this.#head = Buffer.concat([this.#head, piece.subarray(0, headBytes - this.#head.length)])
    }
    this.#kept.add(piece)
  }

  /** What has come moves to the disk, once it is more than may stay. To be awaited between pieces. */
  async moveOut(): Promise<void> {
    if (this.#kept.size <= keptBytes || this.#isFinished) return
    this.#file ??= await this.#openFile()
    const { handle, cipher } = this.#file
    await handle.writeFile(cipher.update(this.#kept.take()))
  }

  async #openFile() {
    const path = join(this.#directory, `corridor-upload-${this.#world.uuid()}`)
    const handle = await open(path, 'wx+', 0o600)
    await rm(path)
    const [key, nonce] = [this.#world.randomBytes(32), this.#world.randomBytes(16)]
    return { handle, cipher: createCipheriv('aes-256-ctr', key, nonce), key, nonce }
  }

  get size(): number {
    return this.#size
  }

  /** The file, of which no more comes. It can be read until the spool is disposed of. */
  finish(about: { readonly name: string; readonly contentType: string }): UploadedFile {
    this.#isFinished = true
    const [size, file, kept] = [this.#size, this.#file, Buffer.from(this.#kept.bytes())]
    return new UploadedFile(about, {
      size,
      digest: this.#hash.digest('hex'),
      head: this.#head,
      async *pieces() {
        if (file) {
          const { handle, key, nonce } = file
          const decipher = createDecipheriv('aes-256-ctr', key, nonce)
          for (let position = 0; position < size; ) {
            const { bytesRead, buffer } = await handle.read(Buffer.alloc(readBytes), 0, readBytes, position)
            if (bytesRead === 0) break
            position += bytesRead
            yield decipher.update(buffer.subarray(0, bytesRead))
          }
        }
        if (kept.length > 0) yield kept
      },
    })
  }

  async dispose(): Promise<void> {
    this.#kept.take()
    await this.#file?.handle.close().catch(() => {})
  }
}
