import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { marked } from 'marked'

/**
 * A guide as a reader follows it, block by block. What the fence says decides what a block is:
 *
 * - `sh`: typed into the terminal, which keeps its variables from block to block. `sh terminal-2`: into a second
 *   one, where it stays (a server of the reader's own). `sh start` and `sh stop`: starts or stops Corridor.
 *   `sh postgresql`: only where there is a PostgreSQL.
 * - `text` and `json` after an `sh` block: what that block prints. `…` stands for anything; of an object in JSON
 *   the members that are named must be there. `text terminal-2`: what the second terminal shows by then.
 * - any language with the name of a file (`ts pay.mts`): the reader saves it under that name.
 * - anything else is for reading only.
 */
export interface Block {
  readonly kind: 'type' | 'type-beside' | 'start' | 'stop' | 'prints' | 'shows-beside' | 'save'
  readonly language: string
  readonly text: string
  readonly line: number
  readonly fileName: string
  readonly needsPostgresql: boolean
}

const guides = join(import.meta.dirname, '../../docs/guides')

export function readGuide(name: string): readonly Block[] {
  const source = readFileSync(join(guides, `${name}.md`), 'utf8')
  const blocks: Block[] = []
  let offset = 0
  for (const token of marked.lexer(source)) {
    const line = source.slice(0, offset).split('\n').length
    offset += token.raw.length
    if (token.type !== 'code') continue
    const [language = '', word = ''] = (token.lang ?? '').split(' ')
    const kind = kindOf(language, word, blocks.at(-1)?.kind)
    if (!kind) continue
    const needsPostgresql = word === 'postgresql'
    blocks.push({ kind, language, text: token.text, line, fileName: word, needsPostgresql })
  }
  return blocks
}

function kindOf(
  language: string,
  word: string,
  before: Block['kind'] | undefined,
): Block['kind'] | undefined {
  if (language === 'sh') {
    if (word === 'start' || word === 'stop') return word
    return word === 'terminal-2' ? 'type-beside' : 'type'
  }
  if (word === 'terminal-2') return 'shows-beside'
  if (word.includes('.')) return 'save'
  return (language === 'text' || language === 'json') && before === 'type' ? 'prints' : undefined
}

/** Why `printed` is not what the guide says, or undefined. */
export function difference(block: Block, printed: string): string | undefined {
  if (block.language === 'json') return differenceOfJson(block, printed)
  if (textPattern(block.text.trim()).test(printed.trim())) return undefined
  return `says\n${block.text}\nbut what is printed is\n${printed}`
}

/** Whether somewhere in the lines of `shown` there are these, in this order. */
export function showsLines(text: string, shown: string): boolean {
  const wanted = text.trim().split('\n').map(textPattern)
  let next = 0
  for (const line of shown.split('\n')) if (wanted[next]?.test(line.trim())) next++
  return next === wanted.length
}

function textPattern(text: string): RegExp {
  const parts = text.split('…').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(`^${parts.join('[^]*?')}$`)
}

function differenceOfJson({ text }: Block, printed: string): string | undefined {
  let actual: unknown
  try {
    actual = JSON.parse(printed)
  } catch {
    return `says that it prints JSON, which this is not:\n${printed}`
  }
  const wrong = firstMismatch(JSON.parse(text), actual, '')
  return wrong && `says otherwise at ${wrong} than what is printed:\n${JSON.stringify(actual, null, 2)}`
}

/** The path of the first value that is not as the guide has it. */
function firstMismatch(said: unknown, actual: unknown, path: string): string | undefined {
  if (typeof said === 'string') {
    return typeof actual === 'string' && textPattern(said).test(actual) ? undefined : path || 'the top'
  }
  if (typeof said !== 'object' || said === null) return said === actual ? undefined : path || 'the top'
  if (typeof actual !== 'object' || actual === null) return path || 'the top'
  if (Array.isArray(said) && (!Array.isArray(actual) || actual.length !== said.length))
    return path || 'the top'
  for (const [key, value] of Object.entries(said)) {
    const wrong = firstMismatch(value, (actual as Record<string, unknown>)[key], `${path}/${key}`)
    if (wrong) return wrong
  }
  return undefined
}
