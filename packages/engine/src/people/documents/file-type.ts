import { UploadedFile } from '../../mechanisms/http/uploads.ts'
import type { EnvironmentRules } from '../../ports/adapters.ts'
import type { FieldProblem } from '../../vocabulary/errors.ts'

/** Which files are documents (customers 11.1): PDF, JPEG or PNG of 1 byte to 10 MB. */

export const maxFileBytes = 10 * 1024 * 1024

interface FileType {
  readonly contentTypes: readonly string[]
  readonly extensions: readonly string[]
  readonly firstBytes: readonly number[]
}

/** Three fixed beginnings are all that has to be told apart, so no library guesses at hundreds. */
const fileTypes: readonly FileType[] = [
  {
    contentTypes: ['application/pdf', 'application/x-pdf'],
    extensions: ['pdf'],
    firstBytes: [...Buffer.from('%PDF-')],
  },
  { contentTypes: ['image/jpeg', 'image/jpg'], extensions: ['jpg', 'jpeg'], firstBytes: [0xff, 0xd8, 0xff] },
  {
    contentTypes: ['image/png'],
    extensions: ['png'],
    firstBytes: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a],
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

function typeOfContent(bytes: Uint8Array): FileType | undefined {
  return fileTypes.find(({ firstBytes }) => firstBytes.every((byte, index) => bytes[index] === byte))
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

export function checkFile(file: unknown, source: EnvironmentRules['documentTypeFrom']): FieldProblem[] {
  if (!(file instanceof UploadedFile)) {
    return file === undefined ? [] : [{ field: 'file', message: 'is not a file' }]
  }
  if (file.size === 0) return [{ field: 'file', message: 'is empty' }]
  if (file.size > maxFileBytes) return [{ field: 'file', message: 'is larger than 10 MB' }]
  if (documentFileType(file, source)) return []
  return [{ field: 'file', message: 'is not a PDF, JPEG or PNG file' }]
}
