import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { type OperationRow, operationTable, type PagedList } from '@corridor/sdk'
import type { Command, Context, Flag } from '../command.ts'
import { mayBeDone } from '../doubt.ts'
import { misused } from '../exit.ts'
import { operatorTable } from '../generated/operator-operations.ts'
import { showList, showOne } from '../output.ts'
import { type Asked, operatorAsked, publishedAsked } from './asked.ts'

/** Every operation of the published document: `corridor customers external-accounts create --data …`. */

export const kebabCase = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

const idsOf = (path: string) => [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!)

const bodyFlags: Readonly<Record<string, Flag>> = {
  data: { type: 'string', says: 'request body as JSON; @file reads a file, - reads standard input' },
  set: { type: 'string', multiple: true, says: 'body field, in the form path=value' },
}
const formFlags: Readonly<Record<string, Flag>> = {
  file: { type: 'string', says: 'file to upload' },
  set: { type: 'string', multiple: true, says: 'form field, in the form name=value' },
}

export const operationCommands: readonly Command[] = [
  ...operationTable.map((row) => commandOf(row, publishedAsked)),
  ...operatorTable.map((row) => commandOf(row, operatorAsked)),
]

function commandOf(row: OperationRow, asked: Asked): Command {
  return {
    words: row.name.split('.').map(kebabCase),
    takes: idsOf(row.path)
      .map((name) => name.toUpperCase())
      .join(' '),
    says: row.summary,
    flags: {
      ...Object.fromEntries(
        (row.query ?? []).map((name) => [
          kebabCase(name),
          {
            type: 'string',
            multiple: true,
            says: row.requiredQuery?.includes(name) ? 'required' : 'filter',
          } as const,
        ]),
      ),
      ...(row.body === 'json' ? bodyFlags : row.body === 'form' ? formFlags : {}),
      ...(row.takesKey
        ? { 'idempotency-key': { type: 'string', says: 'idempotency key for safe retries' } as const }
        : {}),
    },
    run: (context) => runOperation(row, context, asked),
  }
}

async function runOperation(row: OperationRow, context: Context, asked: Asked): Promise<undefined> {
  const { terminal, output } = context
  const ids = idsOf(row.path).map((name, index) => context.argument(index, name.toUpperCase()))
  const query = Object.fromEntries(
    (row.query ?? [])
      .map((name) => [name, context.texts(kebabCase(name))] as const)
      .filter(([, values]) => values.length > 0)
      .map(([name, values]) => [name, values.length === 1 ? values[0] : values]),
  )
  const body =
    row.body === 'form' ? formOf(context) : row.body === 'json' ? await bodyOf(row, context) : undefined
  const path = pathOf(row, ids)
  if (context.isSet('curl')) {
    terminal.out(asked.curl(context, { method: row.method, path, query, body }))
    return undefined
  }
  if (row.method !== 'GET') await asked.guard(row, context, { query, body })
  // Made here, so that whoever is left in doubt can be told it.
  const key = row.takesKey ? context.text('idempotency-key') || terminal.uuid() : undefined
  const answer = asked.ask(row, context, {
    ids,
    path,
    query,
    body,
    options: key ? { idempotencyKey: key } : {},
  })
  if (!row.isList) {
    const told = Promise.resolve(answer).catch((error: unknown) => {
      if (row.method !== 'GET') sayDoubt(error, row, context, key)
      throw error
    })
    showOne(terminal, output, await told)
    return undefined
  }
  const list = answer as PagedList<Record<string, unknown>>
  if (output.jsonl) {
    for await (const entry of list) terminal.out(JSON.stringify(entry))
    return undefined
  }
  const page = await list
  showList(terminal, output, page.data, page)
  if (page.hasMore && !output.json) {
    terminal.note(`${page.data.length} of ${page.totalCount}; next page: --cursor ${page.nextCursor}`)
  }
  return undefined
}

/** Where it may have been done all the same: how to repeat it without doing it twice. Of whom nobody knows no key is kept. */
function sayDoubt(error: unknown, { isOpen }: OperationRow, { terminal }: Context, key: string | undefined) {
  const isKeyed = key !== undefined && !isOpen
  if (!mayBeDone(error, { isKeyed })) return
  const again = isKeyed
    ? `To repeat it safely, run it again within a day with --idempotency-key ${quotedKey(key)}.`
    : 'Check before you repeat it.'
  terminal.note(`The request may have been executed. ${again}`)
}

const quotedKey = (key: string) => (/^[\w.:-]+$/.test(key) ? key : `'${key.replaceAll("'", `'\\''`)}'`)

const pathOf = ({ path }: OperationRow, ids: readonly string[]) => {
  const left = [...ids]
  return path.replace(/\{\w+\}/g, () => encodeURIComponent(left.shift()!))
}

async function bodyOf(row: OperationRow, context: Context): Promise<unknown> {
  const data = context.text('data')
  const sets = context.texts('set')
  if (data === undefined && sets.length === 0) {
    if (row.requiredBody)
      throw misused(
        'The request body is missing.',
        "Give --data '{…}', --data @file, --data -, or --set path=value.",
      )
    return undefined
  }
  const text = data === undefined ? '{}' : data === '-' ? await context.terminal.read() : fileOr(data)
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch (error) {
    throw misused(`The body is not valid JSON: ${(error as Error).message}`)
  }
  for (const assignment of sets) assign(body as Record<string, unknown>, assignment)
  return body
}

function fileOr(data: string): string {
  if (!data.startsWith('@')) return data
  try {
    return readFileSync(data.slice(1), 'utf8')
  } catch {
    throw misused(`${data.slice(1)} cannot be read.`)
  }
}

/** `destination.accountId=…`: numbers, booleans and JSON as such, anything else as text. */
function assign(body: Record<string, unknown>, assignment: string): void {
  const [path, value] = split(assignment)
  const parts = path.split('.')
  let node = body
  for (const part of parts.slice(0, -1)) {
    if (!Object.hasOwn(node, part)) node[part] = {}
    node = node[part] as Record<string, unknown>
  }
  Object.defineProperty(node, parts.at(-1)!, {
    value: read(value),
    enumerable: true,
    writable: true,
    configurable: true,
  })
}

function split(assignment: string): [string, string] {
  const at = assignment.indexOf('=')
  if (at < 1) throw misused(`--set ${assignment} must have the form path=value.`)
  return [assignment.slice(0, at), assignment.slice(at + 1)]
}

function read(value: string): unknown {
  if (!/^(true|false|null|-?\d{1,15}|[[{"].*)$/s.test(value)) return value
  try {
    return JSON.parse(value)
  } catch {
    return value
  }
}

function formOf(context: Context): FormData {
  const path = context.text('file')
  if (!path) throw misused('--file is missing.')
  const form = new FormData()
  for (const assignment of context.texts('set')) form.append(...split(assignment))
  try {
    form.append('file', new Blob([readFileSync(path)]), basename(path))
  } catch {
    throw misused(`${path} cannot be read.`)
  }
  return form
}
