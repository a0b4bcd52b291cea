import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type MessageFormatElement, parse, TYPE } from '@formatjs/icu-messageformat-parser'
import { printAST } from '@formatjs/icu-messageformat-parser/printer.js'
import ts from 'typescript'

/** The catalogues of the console: all that its source gives to `t` and `rich`, in English and in a made-up language. */

const source = 'apps/console/src'

/** Sorted, as a change of one page should be seen as one of its lines. Throws where a message is put together while it is said. */
export function consoleMessages(): string[] {
  const found = new Set<string>()
  for (const name of readdirSync(source, { recursive: true, encoding: 'utf8' })) {
    if (!/\.tsx?$/.test(name) || name.includes('generated/') || name.endsWith('.test.ts')) continue
    const path = join(source, name)
    const file = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true)
    const visit = (node: ts.Node) => {
      if (
        ts.isCallExpression(node) &&
        ts.isIdentifier(node.expression) &&
        /^(t|rich)$/.test(node.expression.text)
      ) {
        const message = node.arguments[0]
        if (!message || !ts.isStringLiteralLike(message)) {
          const { line } = file.getLineAndCharacterOfPosition(node.getStart())
          throw new Error(
            `${path}:${line + 1}: a message is one text, written out, so that it can be translated`,
          )
        }
        parse(message.text)
        found.add(message.text)
      }
      ts.forEachChild(node, visit)
    }
    visit(file)
  }
  return [...found].sort()
}

export function renderCatalogue(): string {
  return jsonOf(consoleMessages().map((message) => [message, message]))
}

/** Longer, with marks of its own around it and accents on its letters: what stays plain on a page was never translated. */
export function renderPseudoCatalogue(): string {
  return jsonOf(consoleMessages().map((message) => [message, `⟦${printAST(parse(message).map(accented))}·⟧`]))
}

function jsonOf(entries: readonly (readonly [string, string])[]): string {
  return `${JSON.stringify(Object.fromEntries(entries), null, 2)}\n`
}

const accents: Readonly<Record<string, string>> = {
  a: 'á',
  c: 'ç',
  e: 'é',
  i: 'í',
  n: 'ñ',
  o: 'ó',
  s: 'š',
  u: 'ú',
  y: 'ý',
  z: 'ž',
  A: 'Á',
  C: 'Ç',
  E: 'É',
  I: 'Í',
  N: 'Ñ',
  O: 'Ó',
  S: 'Š',
  U: 'Ú',
  Y: 'Ý',
  Z: 'Ž',
}

function accented(element: MessageFormatElement): MessageFormatElement {
  if (element.type === TYPE.literal) {
    return { ...element, value: element.value.replace(/[a-z]/gi, (letter) => accents[letter] ?? letter) }
  }
  if (element.type === TYPE.tag) return { ...element, children: element.children.map(accented) }
  if (element.type === TYPE.plural || element.type === TYPE.select) {
    const options = Object.entries(element.options).map(([name, option]) => [
      name,
      { ...option, value: option.value.map(accented) },
    ])
    return { ...element, options: Object.fromEntries(options) }
  }
  return element
}
