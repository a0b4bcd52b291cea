import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

/** What a page shows and nothing has. */
export interface DocsFinding {
  readonly path: string
  readonly line: number
  readonly message: string
}

interface CheckedOperation {
  readonly method: string
  readonly path: string
}

export interface Known {
  /** `GET /quotes/{}`, with every parameter as `{}`. */
  readonly operations: ReadonlySet<string>
  /** Words that stand in the product's source or in the published document. */
  readonly words: ReadonlySet<string>
}

/**
 * Finds operations, fields, codes and links of Markdown pages that do not exist: `GET /quote`, `quoteid`,
 * `QUOTE_EXPIERD`, `[rails](../rails.md)`. A field or code exists when the source has it as a word of its own.
 */
export function checkPages(root: string, operations: readonly CheckedOperation[]): readonly DocsFinding[] {
  const known: Known = { operations: namesOf(operations), words: wordsOf(root) }
  return pagesOf(root).flatMap((path) =>
    findingsOf(path, readFileSync(join(root, path), 'utf8'), known, root),
  )
}

export function findingsOf(
  path: string,
  markdown: string,
  known: Known,
  root: string,
): readonly DocsFinding[] {
  const findings: DocsFinding[] = []
  let isInside = false
  for (const [index, line] of markdown.split('\n').entries()) {
    const add = (message: string) => findings.push({ path, line: index + 1, message })
    if (line.startsWith('```')) isInside = !isInside
    else if (isInside) checkCalls(line, known, add)
    else checkProse(line, known, add)
    if (!isInside) checkLinks(line, join(root, dirname(path)), add)
  }
  return findings
}

function checkProse(line: string, { operations, words }: Known, add: (message: string) => void): void {
  for (const [, text = ''] of line.matchAll(/`([^`]+)`/g)) {
    const [, method, address] = /^(GET|POST|PUT|PATCH|DELETE) (\/[^\s?]*)/.exec(text) ?? []
    if (method && address) {
      if (!operations.has(`${method} ${normal(address)}`))
        add(`there is no operation \`${method} ${address}\``)
    } else if (/^[A-Z][A-Z0-9]*(_[A-Z0-9]+)+$/.test(text) || /^[A-Z_]+\.[A-Z_]+$/.test(text)) {
      if (!words.has(text)) add(`nothing is called \`${text}\``)
    } else if (/^[a-z]+[A-Z]\w*((\[\])?\.\w+(\[\])?)*$/.test(text)) {
      const missing = text.split(/\W+/).find((name) => name !== '' && !words.has(name))
      if (missing) add(`there is no field \`${missing}\``)
    }
  }
}

/** Calls in blocks: `"$BASE/quotes/$QUOTE/execute"`, by whatever method. */
function checkCalls(line: string, { operations }: Known, add: (message: string) => void): void {
  for (const [, address = ''] of line.matchAll(/\$BASE(\/(?:[^"'\s?$]|\$\w+|\$\([^)]*\))*)/g)) {
    // A part that a function of the guide is given may be anything.
    if (/\$\d/.test(address)) continue
    const wanted = normal(address.replace(/\$\w+|\$\([^)]*\)/g, '{}'))
    if (![...operations].some((operation) => operation.endsWith(` ${wanted}`)))
      add(`there is no address ${address}`)
  }
}

function checkLinks(line: string, directory: string, add: (message: string) => void): void {
  for (const [, href = ''] of line.matchAll(/\]\(([^)\s]+)\)/g)) {
    if (/^(https?:|mailto:|#|\/)/.test(href)) continue
    if (!existsSync(join(directory, href.replace(/#.*$/, '')))) add(`the link ${href} leads nowhere`)
  }
}

function normal(address: string): string {
  return address.replace(/\{[^}]*\}/g, '{}').replace(/[/.,;:]$/, '')
}

function namesOf(operations: readonly CheckedOperation[]): Set<string> {
  return new Set([...probes, ...operations.map(({ method, path }) => `${method} ${normal(path)}`)])
}

const probes = ['GET /healthz', 'GET /readyz', 'GET /metrics']

/** Words of the product, event types among them; tests count for nothing. */
function wordsOf(root: string): Set<string> {
  const sources = ['packages', 'apps'].flatMap((folder) => filesBelow(join(root, folder)))
  const texts = [join(root, 'openapi/openapi.json'), ...sources].map((path) => readFileSync(path, 'utf8'))
  return new Set(texts.flatMap((text) => text.match(/[A-Za-z_$][\w$]*(\.[A-Z_]+)*/g) ?? []))
}

function filesBelow(directory: string): string[] {
  return readdirSync(directory, { withFileTypes: true }).flatMap((entry) => {
    if (['node_modules', 'dist', 'testkit'].includes(entry.name)) return []
    const path = join(directory, entry.name)
    if (entry.isDirectory()) return filesBelow(path)
    return /\.(ts|sql)$/.test(entry.name) && !entry.name.endsWith('.test.ts') ? [path] : []
  })
}

function pagesOf(root: string): string[] {
  const below = (directory: string): string[] =>
    readdirSync(directory, { withFileTypes: true }).flatMap((entry) => {
      const path = join(directory, entry.name)
      // Decisions speak of what was not chosen, too.
      if (entry.isDirectory()) return entry.name === 'adr' ? [] : below(path)
      return entry.name.endsWith('.md') ? [relative(root, path)] : []
    })
  return ['README.md', ...below(join(root, 'docs'))]
}
