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
  const { code, withStrings } = split(text)
  return { path, text, code, imports: importsOf(path, withStrings) }
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

/** The names that a file takes from others, as the others call them. */
export function namedImports(path: string, text: string): { names: string[]; target: string | undefined }[] {
  const pattern = /\b(?:import|export)\s+(?:type\s+)?(?:\w+,\s*)?\{([^}]*)\}\s+from\s+'([^']+)'/g
  return [...text.matchAll(pattern)].map(([, list, specifier]) => ({
    names: list!
      .split(',')
      .map((each) => each.trim().replace(/^type /, ''))
      .map((each) => each.split(' as ')[0]!.trim()),
    target: resolve(path, specifier!),
  }))
}

/** Where an import leads within the repository. The packages' export maps all say `./* → ./src/*`. */
function resolve(from: string, specifier: string): string | undefined {
  if (specifier.startsWith('.')) return posix.normalize(posix.join(posix.dirname(from), specifier))
  const [, name, rest] = /^@corridor\/([^/]+)(?:\/(.*))?$/.exec(specifier) ?? []
  return name === undefined ? undefined : `packages/${name}/src/${rest ?? 'index.ts'}`
}

/** Text with its comments, and in `code` also the insides of strings and regular expressions, turned into spaces. */
export interface SplitText {
  readonly code: string
  readonly withStrings: string
}

type Mode = 'code' | 'line' | 'block' | "'" | '"' | '`' | 'regex'

/** Walks TypeScript text once: tidy is run before every commit, and has less than a second. */
export function split(text: string): SplitText {
  const code = Buffer.from(text, 'utf16le')
  const withStrings = Buffer.from(code)
  /** Depth of braces at which each open template literal goes on. */
  const templates: number[] = []
  let depth = 0
  let mode: Mode = 'code'
  /** Where the last code that is no space stands; before the text when a string ended after it. */
  let lastCode = -1
  let isAfterString = false
  let inClass = false

  function blank(index: number, isComment: boolean): void {
    if (text[index] === '\n') return
    code.writeUInt16LE(space, index * 2)
    if (isComment) withStrings.writeUInt16LE(space, index * 2)
  }
  /** Whether a slash after the code so far begins a regular expression and is not a division. */
  function startsRegex(): boolean {
    if (isAfterString) return false
    const before = text.slice(Math.max(0, lastCode - 11), lastCode + 1)
    return (
      before === '' || /[(,=:[!&|?{};+\-*%<>~^]$/.test(before) || /\b(return|typeof|case|of|in)$/.test(before)
    )
  }

  for (let index = 0; index < text.length; index++) {
    const char = text[index]!
    if (mode === 'code') {
      if (char === '/') {
        const next = text[index + 1]
        if (next === '/' || next === '*') {
          mode = next === '/' ? 'line' : 'block'
          blank(index, true)
          blank(++index, true)
          continue
        }
        if (startsRegex()) {
          mode = 'regex'
          isAfterString = true
          continue
        }
      } else if (char === "'" || char === '"' || char === '`') {
        mode = char
        isAfterString = true
        continue
      } else if (char === '{') depth++
      else if (char === '}') {
        if (templates.at(-1) === depth) {
          templates.pop()
          mode = '`'
          isAfterString = true
          continue
        }
        depth--
      }
      if (char !== ' ' && char !== '\n') {
        lastCode = index
        isAfterString = false
      }
    } else if (mode === 'line') {
      if (char === '\n') mode = 'code'
      else blank(index, true)
    } else if (mode === 'block') {
      blank(index, true)
      if (char === '*' && text[index + 1] === '/') {
        blank(++index, true)
        mode = 'code'
      }
    } else if (char === '\\') {
      blank(index, false)
      if (index + 1 < text.length) blank(++index, false)
    } else if (mode === 'regex') {
      if (char === '[') inClass = true
      if (char === ']') inClass = false
      if ((char === '/' && !inClass) || char === '\n') mode = 'code'
      else blank(index, false)
    } else if (mode === '`' && char === '$' && text[index + 1] === '{') {
      lastCode = ++index
      isAfterString = false
      templates.push(depth)
      mode = 'code'
    } else if (char === mode) mode = 'code'
    else blank(index, false)
  }
  return { code: code.toString('utf16le'), withStrings: withStrings.toString('utf16le') }
}

const space = 0x20
