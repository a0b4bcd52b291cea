import { failed, ok, type Result } from '@corridor/kernel'
import { Busboy } from '@fastify/busboy'
import { type Failure, fail } from './errors.ts'

/** A file as it arrived: its name and type are what the sender says they are. */
export interface UploadedFile {
  readonly name: string
  readonly contentType: string
  readonly bytes: Uint8Array
}

export interface Form {
  /** Of a field that comes several times, the first. */
  readonly fields: Readonly<Record<string, string>>
  readonly files: Readonly<Record<string, UploadedFile>>
}

const limits = {
  fields: 200,
  files: 20,
  fieldNameSize: 255,
  fieldSize: 64 * 1024,
  headerPairs: 20,
}

/** Reads a multipart body: INVALID_REQUEST_FORMAT for anything else. Empty file inputs are left out. */
export async function parseMultipart(
  contentType: string | undefined,
  body: Uint8Array | undefined,
): Promise<Result<Form, Failure>> {
  const refuse = (reason: string) => failed(fail('INVALID_REQUEST_FORMAT', { reason }))
  if (!body || boundaryOf(contentType) === undefined) {
    return refuse('the content type is not multipart/form-data')
  }
  const fields: Record<string, string> = Object.create(null)
  const files: Record<string, UploadedFile> = Object.create(null)
  let excess: string | undefined
  try {
    await new Promise<void>((resolve, reject) => {
      const parser = new Busboy({
        headers: { 'content-type': contentType! },
        limits,
        // A part with a file name is a file, whatever its type.
        isPartAFile: (_name, _type, fileName) => fileName !== undefined,
      })
      parser.on('field', (name, value, isNameCut, isCut) => {
        if (isNameCut || isCut) excess = 'a field is too long'
        fields[name] ??= value
      })
      parser.on('file', (name, stream, fileName, _encoding, type) => {
        const chunks: Buffer[] = []
        stream.on('data', (chunk: Buffer) => chunks.push(chunk))
        stream.on('end', () => {
          const bytes = Buffer.concat(chunks)
          // What a browser sends for an input in which nothing was chosen.
          if (!fileName && bytes.length === 0) return
          files[name] ??= { name: baseName(fileName), contentType: type, bytes }
        })
      })
      parser.on('fieldsLimit', () => {
        excess = 'there are too many fields'
      })
      parser.on('filesLimit', () => {
        excess = 'there are too many files'
      })
      parser.on('finish', resolve)
      parser.on('error', reject)
      parser.end(Buffer.from(body))
    })
  } catch {
    return refuse('the body is not well-formed multipart/form-data')
  }
  return excess === undefined ? ok({ fields, files }) : refuse(excess)
}

/**
 * The bytes without the boundary, which clients choose at random: two uploads of the same parts are the
 * same request (conventions 6).
 */
export function withoutBoundary(contentType: string | undefined, body: Uint8Array): string {
  const boundary = boundaryOf(contentType)
  const text = Buffer.from(body).toString('latin1')
  return boundary === undefined ? text : text.replaceAll(`--${boundary}`, '--')
}

function boundaryOf(contentType: string | undefined): string | undefined {
  if (!/^multipart\/form-data\s*;/i.test(contentType ?? '')) return undefined
  const [, quoted, plain] = /;\s*boundary=(?:"([^"]+)"|([^;\s]+))/i.exec(contentType!) ?? []
  return quoted ?? plain
}

/** Some senders name the whole path; it is nobody's business. */
function baseName(fileName: string | undefined): string {
  return fileName?.split(/[/\\]/).at(-1) || 'file'
}
