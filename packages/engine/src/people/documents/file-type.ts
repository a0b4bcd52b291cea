import { UploadedFile } from '../../mechanisms/http/uploads.ts'
import type { EnvironmentRules } from '../../ports/adapters.ts'
import type { FieldProblem } from '../../vocabulary/errors.ts'

/** Which files are documents (customers 11.1): PDF, JPEG or PNG of 1 byte to 10 MB. */

export const maxFileBytes = 10 * 1024 * 1024

interface FileType {
  readonly contentTypes: readonly string[]
  readonly extensions: readonly string[]
  readonly firstBytes: Uint8Array
  /** The largest offset at which they may begin; 0 when absent. */
  readonly latestStart?: number
}

/**
 * Readers of PDF accept the header anywhere in the first 1,024 bytes (ISO 32000-1, Annex H): scanners and portals write a
 * byte-order mark, blank lines or mail headers in front of it.
 */
const pdfHeader = { firstBytes: Buffer.from('%PDF-'), latestStart: 1024 - '%PDF-'.length }

/** Three fixed beginnings are all that has to be told apart, so no library guesses at hundreds. */
const fileTypes: readonly FileType[] = [
  {
    contentTypes: ['application/pdf', 'application/x-pdf'],
    extensions: ['pdf'],
    ...pdfHeader,
  },
  {
    contentTypes: ['image/jpeg', 'image/jpg'],
    extensions: ['jpg', 'jpeg'],
    firstBytes: Buffer.from([0xff, 0xd8, 0xff]),
  },
  {
    contentTypes: ['image/png'],
    extensions: ['png'],
    firstBytes: Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
  },
]

/** The media type of a file that may be a document, or undefined. */
export function documentFileType(
  file: UploadedFile,
  source: EnvironmentRules['documentTypeFrom'],
): string | undefined {
  const found = source === 'CONTENT' ? typeOfContent(file.head) : typeOfSender(file)
  return found?.contentTypes[0]
}

/** An image begins at once; a PDF is looked for after the others, because its header may stand in one of them. */
function typeOfContent(bytes: Uint8Array): FileType | undefined {
  const content = Buffer.from(bytes)
  const startsBy = ({ firstBytes, latestStart = 0 }: FileType, latest = latestStart) => {
    const start = content.indexOf(firstBytes)
    return start >= 0 && start <= latest
  }
  return fileTypes.find((type) => startsBy(type, 0)) ?? fileTypes.find((type) => startsBy(type))
}

/** The declared type, or failing that the ending of the name. */
function typeOfSender({ name, contentType }: UploadedFile): FileType | undefined {
  const declared = contentType.split(';')[0]!.trim().toLowerCase()
  const ending = name.split('.').at(-1)!.toLowerCase()
  return (
    fileTypes.find(({ contentTypes }) => contentTypes.includes(declared)) ??
    fileTypes.find(({ extensions }) => extensions.includes(ending))
  )
}

/** Of a part without a file name, which is a text. */
export const notAFile = 'is not a file: give its part a file name, such as filename="passport.pdf"'

export function checkFile(file: unknown, source: EnvironmentRules['documentTypeFrom']): FieldProblem[] {
  if (!(file instanceof UploadedFile)) {
    return file === undefined ? [] : [{ field: 'file', message: notAFile }]
  }
  if (file.size === 0) return [{ field: 'file', message: 'is empty' }]
  if (file.size > maxFileBytes) return [{ field: 'file', message: 'is larger than 10 MB' }]
  if (documentFileType(file, source)) return []
  return [{ field: 'file', message: 'is not a PDF, JPEG or PNG file' }]
}
