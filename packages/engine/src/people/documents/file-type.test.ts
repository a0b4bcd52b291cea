import { effort } from '@corridor/testkit/effort.ts'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fileOfBytes, Spool } from '../../mechanisms/http/uploads.ts'
import { checkFile, documentFileType } from './file-type.ts'

/** Documents as scanners, portals and mail programs write them. */

const about = { name: 'scan', contentType: 'application/octet-stream' }
const pdf = Buffer.from('%PDF-1.7\n%âãÏÓ\n1 0 obj')
const typeOf = (bytes: Buffer) => documentFileType(fileOfBytes(about, bytes), 'CONTENT')

describe('the content of a document', () => {
  it.each([
    ['at once', ''],
    ['after a byte-order mark', '\ufeff'],
    ['after CRLF', '\r\n'],
    ['after a blank line and blanks', '\n   \t\n'],
    ['after headers of a mail', 'Content-Type: application/pdf\r\n\r\n'],
    ['after 1,019 bytes', ' '.repeat(1019)],
  ])('is a PDF whose header stands %s', (_where, before) => {
    expect(typeOf(Buffer.concat([Buffer.from(before), pdf]))).toBe('application/pdf')
  })

  it('is a PDF with its header in the first 1,024 bytes and not later, however it arrives', () => {
    const before = fc.uint8Array({ maxLength: 1100 })
    const pieceSize = fc.integer({ min: 1, max: 700 })
    fc.assert(
      fc.property(before, pieceSize, (bytes, size) => {
        const all = Buffer.concat([Buffer.from(bytes), pdf])
        const spool = new Spool({ uuid: () => '', randomBytes: (count) => new Uint8Array(count) }, undefined)
        for (let at = 0; at < all.length; at += size) spool.add(all.subarray(at, at + size))
        const expected = bytes.length <= 1019 ? 'application/pdf' : undefined
        const isImage = bytes[0] === 0xff && bytes[1] === 0xd8
        if (!isImage) expect(documentFileType(spool.finish(about), 'CONTENT')).toBe(expected)
      }),
      { numRuns: effort(200, 10_000) },
    )
  })

  it('is an image only from its first byte on, also with a PDF in it', () => {
    const jpeg = Buffer.from([0xff, 0xd8, 0xff, 0xe0])
    const png = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
    expect(typeOf(Buffer.concat([jpeg, pdf]))).toBe('image/jpeg')
    expect(typeOf(Buffer.concat([png, pdf]))).toBe('image/png')
    for (const image of [jpeg, png]) expect(typeOf(Buffer.concat([Buffer.from('\n'), image]))).toBeUndefined()
    const [problem] = checkFile(fileOfBytes(about, Buffer.from('%PD-')), 'CONTENT')
    expect(problem).toEqual({ field: 'file', message: 'is not a PDF, JPEG or PNG file' })
  })
})
