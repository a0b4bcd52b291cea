import type { Finding, Rule } from './rules.ts'

/** Sentence length, openings and words: the part of plain English that a program can check. */

const longestSentence = 30

/** Documents that people write. Generated pages follow from texts in the source. */
const written = /^(?!docs\/reference\/|docs\/guides\/sandbox\.md$|openapi\/).*\.md$/

/** A subject that hides the actor. Questions may begin so. */
const openings = /^(What|Whoever|Whether|That which|Of)\s(?!.*\?$)/

interface Word {
  readonly pattern: RegExp
  /** The glossary's word. */
  readonly instead: string
}

const words: readonly Word[] = [
  { pattern: /\b(whoever|nobody|somebody)\b/i, instead: 'the actor: the operator, the caller, no process' },
  { pattern: /\banswers?\b|\banswered\b/i, instead: 'response, respond' },
  { pattern: /\brefusals?\b/i, instead: 'error' },
  { pattern: /\bmembers?\b/i, instead: 'field' },
  { pattern: /\bunsound\b/i, instead: 'does not balance' },
  { pattern: /\bon purpose\b/i, instead: 'fault injection, deliberate' },
  { pattern: /\bunder way\b/i, instead: 'in progress' },
  { pattern: /\btold\b/i, instead: 'reported, sent' },
  { pattern: /\b(?<!outside |real )worlds?\b/, instead: 'sandbox, fork' },
  { pattern: /\bknown facts\b/i, instead: 'optimistic reads' },
]

/** A text that a document may keep, and why. An entry that no document needs any more is a finding itself. */
export interface Exception {
  readonly path: string
  readonly text: string
  readonly reason: string
}

export const exceptions: readonly Exception[] = []

interface Block {
  readonly line: number
  readonly text: string
}

/** What is read as prose: paragraphs, list items and table cells, without code. */
export function blocksOf(markdown: string): Block[] {
  const blocks: Block[] = []
  let open: { line: number; text: string } | undefined
  let fence: string | undefined
  const close = () => {
    if (open) blocks.push(open)
    open = undefined
  }
  for (const [index, line] of markdown.split('\n').entries()) {
    const [mark] = /^\s*(`{3,}|~{3,})/.exec(line) ?? []
    if (mark || fence) {
      close()
      if (!fence) fence = mark?.trim()
      else if (mark?.trim() === fence) fence = undefined
      continue
    }
    if (/^\s*\|/.test(line)) {
      close()
      for (const text of line.split('|')) blocks.push({ line: index + 1, text })
    } else if (/^\s*$|^#|^ {4,}\S/.test(line) && !(open && /^ {4,}\S/.test(line))) {
      close()
      if (line.startsWith('#')) blocks.push({ line: index + 1, text: line.replace(/^#+/, '') })
    } else {
      const item = /^\s*([-*]|\d+\.)\s+/.exec(line)?.[0]
      if (item) close()
      const text = item ? line.slice(item.length) : line
      open = open ? { ...open, text: `${open.text} ${text.trim()}` } : { line: index + 1, text }
    }
  }
  close()
  return blocks
}

/** Inline code counts as one word, whatever is in it. */
function plain(text: string): string {
  return text
    .replace(/`[^`]+`/g, '`')
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[*]+/g, '')
    .trim()
}

function sentencesOf(text: string): string[] {
  return plain(text).split(/(?<=[.!?])\s+/)
}

function lengthOf(sentence: string): number {
  return sentence.split(/\s+/).filter((part) => /[\p{L}\d`]/u.test(part)).length
}

/** What is wrong with the sentences of one block of text. */
export function sentenceFindings(path: string, { line, text }: Block): Finding[] {
  return sentencesOf(text).flatMap((sentence) => {
    const shown = `“${sentence.slice(0, 50)}”`
    const isSentence = lengthOf(sentence) > 4
    const found: string[] = []
    if (lengthOf(sentence) > longestSentence)
      found.push(`has ${lengthOf(sentence)} words in a sentence; write two: ${shown}`)
    if (isSentence && openings.test(sentence)) found.push(`begins with its object; name the actor: ${shown}`)
    for (const { pattern, instead } of words) {
      const [word] = pattern.exec(sentence) ?? []
      if (word) found.push(`says “${word}”; write ${instead}: ${shown}`)
    }
    return found.map((message) => ({ path, line, message }))
  })
}

/** Takes out the texts that this document may keep; those that it no longer has are findings. */
export function proseFindings(path: string, markdown: string, allowed: readonly Exception[]): Finding[] {
  const own = allowed.filter((exception) => exception.path === path)
  const text = own.reduce((rest, exception) => rest.replaceAll(exception.text, '`'), markdown)
  return [
    ...blocksOf(text).flatMap((block) => sentenceFindings(path, block)),
    ...staleExceptions(path, markdown, own),
  ]
}

export function staleExceptions(path: string, text: string, own: readonly Exception[]): Finding[] {
  return own
    .filter((exception) => !text.includes(exception.text))
    .map((exception) => ({
      path,
      message: `no longer says “${exception.text}”; delete its exception`,
    }))
}

export const proseRule: Rule = {
  name: 'prose',
  check: ({ path, text }) => (written.test(path) ? proseFindings(path, text, exceptions) : []),
}
