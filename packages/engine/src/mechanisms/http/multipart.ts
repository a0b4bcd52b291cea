import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { failed, GatheredBytes, ok, type Result } from '@corridor/kernel'
import { Busboy } from '@fastify/busboy'
import { type Failure, fail } from '../../vocabulary/errors.ts'
import { Spool, type SpoolWorld, UploadedFile } from './uploads.ts'

/** What a multipart body becomes. */
export class Form {
  /** Of a field that comes several times, the first. */
  readonly fields: Readonly<Record<string, string>>
  readonly files: Readonly<Record<string, UploadedFile>>
  /** Equal for forms of the same parts, whatever boundary their clients chose (conventions 6). */
  readonly digest: string
  readonly #spools: readonly Spool[]

  constructor(parts: Pick<Form, 'fields' | 'files' | 'digest'>, spools: readonly Spool[]) {
    this.fields = parts.fields
    this.files = parts.files
    this.digest = parts.digest
    this.#spools = spools
  }

  /** The files are gone afterwards. */
  async dispose(): Promise<void> {
    await Promise.all(this.#spools.map((spool) => spool.dispose()))
  }
}

/** What fits the forms of the API and of the hosted page, with room to spare. */
const limits = {
  fields: 100,
  files: 5,
  parts: 105,
  fieldNameSize: 255,
  fieldSize: 8 * 1024,
  headerPairs: 20,
  headerSize: 8 * 1024,
}
/** A piece this small is parsed in a moment, whatever stands in it. */
const pieceBytes = 4 * 1024

/**
 * Reads a multipart body as it comes: INVALID_REQUEST_FORMAT for anything else, PAYLOAD_TOO_LARGE beyond
 * `maxBytes`. Nothing more is parsed once something is wrong. Empty file inputs are left out.
 */
export async function readMultipart(
  contentType: string | undefined,
  body: Readable,
  options: {
    readonly maxBytes: number
    readonly world: SpoolWorld
    readonly spoolDirectory?: string | undefined
  },
): Promise<Result<Form, Failure>> {
  const { maxBytes, world, spoolDirectory } = options
  if (boundaryOf(contentType) === undefined) return failed(notMultipart)
  const reading = new FormReading(contentType!, () => new Spool(world, spoolDirectory))
  let size = 0
  try {
    for await (const chunk of body.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      size += chunk.length
      if (size > maxBytes) reading.refuse(fail('PAYLOAD_TOO_LARGE', { maxBytes }))
      else await reading.take(chunk)
      if (reading.refusal) break
    }
    if (!reading.refusal) await reading.end()
  } catch {
    // The parser's own words, or a sender who has gone: for either this is no form.
    reading.refuse(malformed)
  }
  if (!reading.refusal) return ok(reading.form())
  // What has yet to come is let pass, so that a sender who only reads after writing gets the answer.
  if (!body.destroyed) body.resume()
  await reading.dispose()
  return failed(reading.refusal)
}

export const notMultipart = fail('INVALID_REQUEST_FORMAT', {
  reason: 'the content type is not multipart/form-data; send the file as a part of a form',
})
const malformed = fail('INVALID_REQUEST_FORMAT', {
  reason: 'the body is not well-formed multipart/form-data',
})

/** One form on its way in. The parser's streams flow; what they yield is moved to the disk between pieces. */
class FormReading {
  refusal: Failure | undefined
  readonly #parser: InstanceType<typeof Busboy>
  readonly #newSpool: () => Spool
  readonly #fields: Record<string, string> = Object.create(null)
  readonly #files: Record<string, UploadedFile> = Object.create(null)
  readonly #digest = createHash('sha256')
  readonly #spools: Spool[] = []
  readonly #pending = new GatheredBytes(pieceBytes)
  readonly #ended: Promise<void>
  #end: () => void = () => {}

  constructor(contentType: string, newSpool: () => Spool) {
    this.#newSpool = newSpool
    this.#ended = new Promise((resolve) => {
      this.#end = resolve
    })
    this.#parser = new Busboy({
      headers: { 'content-type': contentType },
      limits,
      // A part with a file name is a file, whatever its type.
      isPartAFile: (_name, _type, fileName) => fileName !== undefined,
    })
    this.#parser
      .on('field', (name, value, isNameCut, isCut) => {
        if (isNameCut || isCut)
          this.#refuseFor(`the field ${name.slice(0, 100)} is too long; a file needs a file name in its part`)
        if (this.refusal) return
        this.#digest.update(JSON.stringify(['field', name, value]))
        this.#fields[name] ??= value
      })
      .on('file', (name, stream, fileName, _encoding, type) => this.#takeFile(name, stream, fileName, type))
      .on('partsLimit', () => this.#refuseFor('there are too many parts'))
      .on('fieldsLimit', () => this.#refuseFor('the form has too many fields'))
      .on('filesLimit', () => this.#refuseFor('there are too many files'))
      .on('finish', () => this.#end())
      .on('error', () => this.refuse(malformed))
  }

  /** The first reason counts. */
  refuse(failure: Failure): void {
    this.refusal ??= failure
    this.#end()
  }

  #refuseFor(reason: string): void {
    this.refuse(fail('INVALID_REQUEST_FORMAT', { reason }))
  }

  #takeFile(name: string, stream: Readable, fileName: string, contentType: string): void {
    // The parser goes on to the end of what it was given: nothing of that is kept.
    if (this.refusal) return void stream.on('error', () => {}).resume()
    const spool = this.#newSpool()
    this.#spools.push(spool)
    stream
      .on('data', (piece: Buffer) => {
        if (!this.refusal) spool.add(piece)
      })
      // A part that ends early is an error of its stream too, which nobody else would hear.
      .on('error', () => this.refuse(malformed))
      .on('end', () => {
        if (this.refusal) return
        // What a browser sends for an input in which nothing was chosen.
        if (!fileName && spool.size === 0) return
        const file = spool.finish({ name: baseName(fileName), contentType })
        this.#digest.update(JSON.stringify(['file', name, file.name, contentType, file.digest]))
        this.#files[name] ??= file
      })
  }

  /** Small chunks are joined, because the parser makes pieces of its own of each. */
  async take(chunk: Buffer): Promise<void> {
    for (let start = 0; start < chunk.length && !this.refusal; ) {
      const piece = chunk.subarray(start, start + pieceBytes - this.#pending.size)
      start += piece.length
      this.#pending.add(piece)
      if (this.#pending.size === pieceBytes) await this.#parsePending()
    }
  }

  async #parsePending(): Promise<void> {
    const { buffer, byteOffset, length } = this.#pending.take()
    if (!this.#parser.write(Buffer.from(buffer, byteOffset, length))) await this.#drained()
    await this.#spools.at(-1)?.moveOut()
  }

  async #drained(): Promise<void> {
    if (!this.#parser.writableNeedDrain) return
    const drain = new Promise<void>((resolve) => {
      this.#parser.once('drain', () => resolve())
    })
    await Promise.race([drain, this.#ended])
  }

  async end(): Promise<void> {
    if (this.#pending.size > 0) await this.#parsePending()
    this.#parser.end()
    await this.#ended
  }

  async dispose(): Promise<void> {
    await Promise.all(this.#spools.map((spool) => spool.dispose()))
  }

  form(): Form {
    const digest = this.#digest.digest('base64url')
    return new Form({ fields: this.#fields, files: this.#files, digest }, this.#spools)
  }
}

/** Files of a form count as their names where fields are checked; only forms hold any. */
export function withFileNames(body: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => [name, value instanceof UploadedFile ? value.name : value]),
  )
}

function boundaryOf(contentType: string | undefined): string | undefined {
  if (!/^multipart\/form-data\s*;/i.test(contentType ?? '')) return undefined
  const [, quoted, plain] = /;\s*boundary=(?:"([^"]{1,200})"|([^;\s]{1,200}))/i.exec(contentType!) ?? []
  return quoted ?? plain
}

/** Some senders name the whole path; it is nobody's business. */
function baseName(fileName: string | undefined): string {
  return fileName?.split(/[/\\]/).at(-1) || 'file'
}
