/** What separates the cells of a file, which spreadsheets choose by the language of their user. */
export interface Separation {
  readonly separator: string
  /** Excel writes `sep=;` in front of the header. */
  readonly hasSeparatorLine: boolean
}

const separators = [',', ';', '\t', '|']
/** The header is looked for in as much of the beginning as this. */
const longestStart = 64 * 1024

/** The separator that is most frequent in the first line that has any text, outside quotes; a comma when none is. */
export function separationOf(start: string): Separation {
  const lines = start.replace(/^\ufeff/, '').split(/\r\n|\n|\r/)
  const named = /^"?sep=(.)"?$/i.exec(lines[0] ?? '')?.[1]
  if (named !== undefined) return { separator: named, hasSeparatorLine: true }
  const header = (lines.find((line) => line.trim() !== '') ?? '').replace(/"(?:[^"]|"")*"/g, '')
  const counts = separators.map((separator) => header.split(separator).length)
  return { separator: separators[counts.indexOf(Math.max(...counts))]!, hasSeparatorLine: false }
}

/** The beginning of a file up to the end of its header line, and all of the file. */
export async function startOf(
  content: AsyncIterable<Buffer>,
): Promise<{ readonly start: string; readonly all: AsyncIterable<Buffer> }> {
  const rest = content[Symbol.asyncIterator]()
  const read: Buffer[] = []
  let start = ''
  while (start.length < longestStart && start.trimStart().split(/[\n\r]+/, 3).length < 3) {
    const { value, done } = await rest.next()
    if (done) break
    read.push(value)
    start = Buffer.concat(read).toString('utf8')
  }
  return {
    start,
    all: (async function* () {
      yield* read
      yield* { [Symbol.asyncIterator]: () => rest }
    })(),
  }
}
