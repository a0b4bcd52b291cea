import { readdirSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'

/** One text file of the repository, read once and looked at by every rule. */
export interface SourceFile {
  /** From the root, with forward slashes. */
  readonly path: string
  readonly text: string
  /** The text with comments, and the insides of strings and regular expressions, turned into spaces. */
  readonly code: string
  readonly imports: readonly Import[]
}

export interface Import {
  readonly specifier: string
  /** A file of the repository, or undefined for a package or a part of Node. */
  readonly target: string | undefined
  /** Gone after compilation. */
  readonly isType: boolean
  readonly line: number
}

export function sourceFile(path: string, text: string): SourceFile {
  if (!/\.tsx?$/.test(path) || path.includes('/generated/')) return { path, text, code: '', imports: [] }
  const code = withoutComments(text)
  return { path, text, code: withoutStrings(code), imports: importsOf(path, code) }
}

const ignoredFolders = new Set(['node_modules', 'dist', 'data', 'coverage', '.git', '.tmp'])
const ignoredFiles = /(^|\/)(\.git|package-lock\.json|LICENSE)$|\.(png|ico|log)$/

/** Every text file below the root; folders that git ignores are left out. */
export function readRepository(root: string): SourceFile[] {
  const files: SourceFile[] = []
  const visit = (folder: string): void => {
    for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`
      if (entry.isDirectory()) {
        if (!ignoredFolders.has(entry.name)) visit(path)
      } else if (entry.isFile() && !ignoredFiles.test(path)) {
        files.push(sourceFile(path, readFileSync(join(root, path), 'utf8')))
      }
    }
  }
  visit('')
  return files.sort((a, b) => (a.path < b.path ? -1 : 1))
}

export function lineAt(text: string, offset: number): number {
  let line = 1
  for (let index = text.indexOf('\n'); index >= 0 && index < offset; index = text.indexOf('\n', index + 1)) {
    line++
  }
  return line
}

const importPattern = /(?:\bfrom|\bimport)\s*\(?\s*(['"])([^'"\n]+)\1/g

function importsOf(path: string, code: string): Import[] {
  return [...code.matchAll(importPattern)].map((match) => ({
    specifier: match[2]!,
    target: resolve(path, match[2]!),
    isType: /\b(import|export)\s+type\b[^;'"]*$/.test(
      code.slice(Math.max(0, match.index - 2_000), match.index),
    ),
    line: lineAt(code, match.index),
  }))
}

/** Where an import leads within the repository. The packages' export maps all say `./* → ./src/*`. */
function resolve(from: string, specifier: string): string | undefined {
  if (specifier.startsWith('.')) return posix.normalize(posix.join(posix.dirname(from), specifier))
  const [, name, rest] = /^@corridor\/([^/]+)(?:\/(.*))?$/.exec(specifier) ?? []
  return name === undefined ? undefined : `packages/${name}/src/${rest ?? 'index.ts'}`
}

type Mode = 'code' | 'line' | 'block' | "'" | '"' | '`' | 'regex'

/** Walks TypeScript text and hands out what each character belongs to. */
function scan(text: string, visit: (index: number, mode: Mode, isDelimiter: boolean) => void): void {
  /** Depth of braces at which each open template literal goes on. */
  const templates: number[] = []
  let depth = 0
  let mode: Mode = 'code'
  let lastCode = ''
  let inClass = false
  for (let index = 0; index < text.length; index++) {
    const char = text[index]!
    const next = text[index + 1]
    if (mode === 'code') {
      if (char === '/' && next === '/') mode = 'line'
      else if (char === '/' && next === '*') mode = 'block'
      else if (char === "'" || char === '"' || char === '`') mode = char
      else if (char === '/' && startsRegex(lastCode)) mode = 'regex'
      else {
        if (char === '{') depth++
        if (char === '}' && templates.at(-1) === depth) {
          templates.pop()
          mode = '`'
        } else if (char === '}') depth--
        if (mode === 'code' && /\S/.test(char)) lastCode = (lastCode + char).slice(-12)
        visit(index, 'code', mode !== 'code')
        continue
      }
      visit(index, mode, true)
      if (mode === 'block') visit(++index, mode, true)
      if (mode !== 'line' && mode !== 'block') lastCode = 'x'
      continue
    }
    const opened: Mode = mode
    if (mode === 'line') {
      if (char === '\n') mode = 'code'
      visit(index, char === '\n' ? 'code' : opened, false)
      continue
    }
    if (mode === 'block') {
      visit(index, opened, false)
      if (char === '*' && next === '/') {
        visit(++index, opened, true)
        mode = 'code'
      }
      continue
    }
    if (char === '\\') {
      visit(index, opened, false)
      if (index + 1 < text.length) visit(++index, opened, false)
      continue
    }
    if (mode === 'regex') {
      if (char === '[') inClass = true
      if (char === ']') inClass = false
      if ((char === '/' && !inClass) || char === '\n') mode = 'code'
    } else if (mode === '`' && char === '$' && next === '{') {
      visit(index, opened, true)
      visit(++index, opened, true)
      templates.push(depth)
      mode = 'code'
      lastCode = '{'
      continue
    } else if (char === mode) mode = 'code'
    visit(index, opened, mode === 'code')
  }
}

/** Whether a slash after this code begins a regular expression and is not a division. */
function startsRegex(before: string): boolean {
  return (
    before === '' || /[(,=:[!&|?{};+\-*%<>~^]$/.test(before) || /(return|typeof|case|of|in)$/.test(before)
  )
}

function blank(text: string, isKept: (mode: Mode, isDelimiter: boolean) => boolean): string {
  const out = text.split('')
  scan(text, (index, mode, isDelimiter) => {
    if (!isKept(mode, isDelimiter) && out[index] !== '\n') out[index] = ' '
  })
  return out.join('')
}

export const withoutComments = (text: string) => blank(text, (mode) => mode !== 'line' && mode !== 'block')

/** Keeps the quotes, so that a rule still sees that there is a string. */
export const withoutStrings = (text: string) =>
  blank(text, (mode, isDelimiter) => mode === 'code' || isDelimiter)
