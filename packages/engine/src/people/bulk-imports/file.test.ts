import { effort } from '@corridor/testkit/effort.ts'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { requiredColumns } from './columns.ts'
import { type ParsedRow, parseFile } from './file.ts'

/** Customer files as spreadsheets of several languages write them. */

const values = (index: number) => requiredColumns.map((column) => `${column} ${index}`)

async function parsed(text: string) {
  const rows: ParsedRow[] = []
  const result = await parseFile([Buffer.from(text)], (row) => void rows.push(row))
  return { ...result, rows }
}

const file = (rows: readonly string[], separator = ',', ending = '\n') =>
  [requiredColumns.join(separator), ...rows].join(ending) + ending

const rowsOf = (count: number, separator = ',') =>
  Array.from({ length: count }, (_, index) => values(index).join(separator))

describe('a customer file', () => {
  it('with one stray quote names the line on which the row begins', async () => {
    const rows = rowsOf(60)
    for (const [wrong, hint] of [
      ['Mia "the boss" Row', 'written twice'],
      ['"Mia" Row', 'written twice'],
      ['"Mia', 'not closed'],
    ] as const) {
      const cells = values(49)
      cells[1] = wrong
      const text = file(rows.with(49, cells.join(',')))
      // The header is line 1, so the fiftieth row is line 51.
      expect((await parsed(text)).problem).toMatchObject({
        reason: 'unparseable',
        line: 51,
        hint: expect.stringContaining(hint),
      })
    }
  })

  it('names the right line wherever the quote is, after blank lines and cells of several lines', async () => {
    const place = fc.integer({ min: 0, max: 59 })
    const wrongCell = fc.constantFrom('a"b', '"a"b', '"a', 'a""', ' "a"')
    const before = fc.array(fc.constantFrom('', ',,,,', 'SEVERAL'), { maxLength: 5 })
    await fc.assert(
      fc.asyncProperty(
        place,
        wrongCell,
        before,
        fc.constantFrom('\n', '\r\n'),
        async (at, cell, blanks, ending) => {
          const several = values(0).with(2, `"one${ending}two"`).join(',')
          const filler = blanks.map((line) => (line === 'SEVERAL' ? several : line))
          const rows = [...filler, ...rowsOf(60)].toSpliced(
            filler.length + at,
            0,
            values(1).with(1, cell).join(','),
          )
          const lines = filler.reduce((sum, line) => sum + line.split(ending).length, 0)
          const { problem } = await parsed(file(rows, ',', ending))
          // Blank lines directly before the row may count as its beginning.
          const expected = 1 + lines + at + 1
          expect(problem?.reason).toBe('unparseable')
          expect(problem!.line!).toBeLessThanOrEqual(expected)
          const trailing = at > 0 ? 0 : filler.length - filler.findLastIndex((line) => line !== '') - 1
          expect(problem!.line!).toBe(expected - trailing)
        },
      ),
      { numRuns: effort(60, 3000) },
    )
  })

  it('leaves out rows that are only separators, however many there are', async () => {
    const blank = ','.repeat(requiredColumns.length - 1)
    const many = Array.from({ length: 10_001 }, () => blank)
    const { rows, rowCount, problem } = await parsed(file([...rowsOf(3), ...many, ...rowsOf(2)]))
    expect({ rowCount, problem, rows: rows.length }).toEqual({ rowCount: 5, problem: undefined, rows: 5 })
  })

  it('reads semicolons, tabs and bars like commas', async () => {
    const cell = fc
      .stringMatching(/^[a-zé ,;|"]{1,12}$/)
      .map((text) => text.trim())
      .filter((text) => text !== '')
    const table = fc.array(fc.array(cell, { minLength: 8, maxLength: 8 }), { minLength: 1, maxLength: 5 })
    const marks = fc.constantFrom('', '\ufeff', 'sep')
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(',', ';', '\t', '|'),
        table,
        marks,
        fc.constantFrom('\n', '\r\n'),
        async (separator, cells, mark, ending) => {
          const lines = cells.map((row) =>
            row.map((text) => `"${text.replaceAll('"', '""')}"`).join(separator),
          )
          const start = mark === 'sep' ? `sep=${separator}${ending}` : mark
          const { rows, problem } = await parsed(start + file(lines, separator, ending))
          expect(problem).toBeUndefined()
          expect(rows.map(({ row }) => Object.values(row))).toEqual(cells)
        },
      ),
      { numRuns: effort(100, 5000) },
    )
  })

  it('takes column names with blanks around them', async () => {
    const text = [requiredColumns.map((column) => ` ${column} `).join(','), ...rowsOf(1)].join('\n')
    const { rows, problem } = await parsed(text)
    expect({ problem, row: rows[0]?.row }).toMatchObject({ row: { umaAddress: 'umaAddress 0' } })
  })

  it('hints at the separator when its header has one column', async () => {
    const { problem } = await parsed(file(rowsOf(1, '^'), '^'))
    expect(problem).toMatchObject({
      reason: 'missing_required_column',
      hint: 'the first line must name the columns, with commas between them',
    })
  })
})
