import type { Page } from '@corridor/sdk/pages.ts'
import { useRef, useState } from 'react'
import { words } from '../words.ts'
import { type Cell, csvOf } from './csv.ts'
import { saveFile } from './save-file.ts'
import { Trouble } from './states.tsx'

interface ExportProps<T> {
  /** Of the file, without its ending. */
  readonly name: string
  /** A page of what the list shows. */
  readonly read: (cursor: string | undefined) => PromiseLike<Page<T>>
  readonly head: readonly string[]
  readonly cells: (row: T) => readonly Cell[]
}

/** More is no file for a spreadsheet, but a program's work. */
const mostRows = 10_000

type State =
  | { readonly kind: 'IDLE' }
  | { readonly kind: 'READING'; readonly rows: number }
  | { readonly kind: 'DONE'; readonly rows: number; readonly isCut: boolean }
  | { readonly kind: 'FAILED'; readonly error: unknown }

/** All that a list shows as it is filtered, as a file: read page by page, stopped by a second press, at most 10,000 rows. */
export function Export<T>({ name, read, head, cells }: ExportProps<T>) {
  const [state, setState] = useState<State>({ kind: 'IDLE' })
  // What was begun before counts no more once it is stopped.
  const run = useRef(0)
  const start = async () => {
    const mine = ++run.current
    const rows: (readonly Cell[])[] = []
    let cursor: string | undefined
    let isCut = false
    setState({ kind: 'READING', rows: 0 })
    try {
      do {
        const page: Page<T> = await read(cursor)
        if (run.current !== mine) return
        rows.push(...page.data.map(cells))
        setState({ kind: 'READING', rows: rows.length })
        cursor = page.hasMore ? (page.nextCursor ?? undefined) : undefined
        isCut = cursor !== undefined && rows.length >= mostRows
      } while (cursor !== undefined && !isCut)
    } catch (error) {
      if (run.current === mine) setState({ kind: 'FAILED', error })
      return
    }
    saveFile(`${name}.csv`, new Blob([csvOf(head, rows)], { type: 'text/csv' }))
    setState({ kind: 'DONE', rows: rows.length, isCut })
  }
  const stop = () => {
    run.current++
    setState({ kind: 'IDLE' })
  }
  const isReading = state.kind === 'READING'
  return (
    <>
      <button type="button" onClick={() => (isReading ? stop() : void start())}>
        {isReading ? words.lists.stopExport : words.lists.export}
      </button>
      <span role="status" className="muted">
        {isReading && words.lists.exporting(state.rows)}
        {state.kind === 'DONE' && words.lists.exported(state.rows, state.isCut)}
      </span>
      {state.kind === 'FAILED' && <Trouble error={state.error} onRetry={() => void start()} />}
    </>
  )
}
