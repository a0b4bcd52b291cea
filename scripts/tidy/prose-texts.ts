import ts from 'typescript'
import { type Exception, sentenceFindings, staleExceptions } from './prose.ts'
import type { Finding, Rule } from './rules.ts'

/** Plain English in the texts of the source: API descriptions, messages, the command line, pages and settings. */

const sources = /^(packages|apps)\/(?!console\/)[^/]+\/src\/(?!.*(?:\.test\.ts$|generated\/)).*\.ts$/

/** Properties whose text is for people, wherever they are. */
const proseProperties = new Set([
  'description',
  'summary',
  'message',
  'advice',
  'says',
  'purpose',
  'meaning',
  'why',
])

/** Files in which every text of several words is for people. */
const proseFiles = new RegExp(
  [
    'apps/cli/src/',
    'packages/hosted-pages/src/',
    'packages/engine/src/vocabulary/conflict-reasons\\.ts$',
    'packages/engine/src/assembly/tags\\.ts$',
    'packages/engine/src/mechanisms/faults/(fault|told)\\.ts$',
    'packages/engine/src/money/explanations/(words|sentence|timeline|event|payment|derivation)\\.ts$',
    '/machines?\\.ts$',
    '/(contract|[a-z-]*-schemas|shapes)\\.ts$',
  ].join('|'),
)

/** Texts that a file may keep, and why. */
export const textExceptions: readonly Exception[] = []

const severalWords = /\p{L}{2,} \p{L}{2,}/u

export const textRule: Rule = {
  name: 'prose of texts',
  check: ({ path, text }) => (sources.test(path) ? textFindings(path, text, textExceptions) : []),
}

/** Findings in the texts of one file, without those that an exception covers. */
export function textFindings(path: string, source: string, allowed: readonly Exception[]): Finding[] {
  const own = allowed.filter((exception) => exception.path === path)
  return [
    ...textsOf(path, source).flatMap(({ line, text }) =>
      sentenceFindings(path, {
        line,
        text: own.reduce((rest, exception) => rest.replaceAll(exception.text, '`'), text),
      }),
    ),
    ...staleExceptions(path, source, own),
  ]
}

interface Text {
  readonly line: number
  readonly text: string
}

function textsOf(path: string, source: string): Text[] {
  const isProse = proseFiles.test(path)
  if (!isProse && ![...proseProperties].some((name) => source.includes(`${name}:`))) return []
  const file = ts.createSourceFile(path, source, ts.ScriptTarget.Latest, true)
  const texts: Text[] = []
  const visit = (node: ts.Node, isRead: boolean): void => {
    if (ts.isImportDeclaration(node) || ts.isTypeNode(node)) return
    if (ts.isStringLiteralLike(node) || ts.isTemplateExpression(node)) {
      const text = textOf(node)
      const { line } = file.getLineAndCharacterOfPosition(node.getStart(file))
      if (isRead && severalWords.test(text)) texts.push({ line: line + 1, text })
      ts.forEachChild(node, (child) => visit(child, isRead))
    } else if (ts.isPropertyAssignment(node)) {
      visit(node.initializer, isProse || proseProperties.has(node.name.getText(file)))
    } else {
      // Only the value itself is read, in parentheses or as one of two, and not what a call in it is given.
      const isValue =
        ts.isParenthesizedExpression(node) || ts.isConditionalExpression(node) || ts.isBinaryExpression(node)
      ts.forEachChild(node, (child) => visit(child, isProse || (isRead && isValue)))
    }
  }
  visit(file, isProse)
  return texts
}

/** An inserted value counts as one word, as inline code does. A tag of HTML ends a sentence. */
function textOf(node: ts.StringLiteralLike | ts.TemplateExpression): string {
  const text = ts.isTemplateExpression(node)
    ? [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].join('`x`')
    : node.text
  return text.replace(/<[^>]*>/g, '. ')
}
