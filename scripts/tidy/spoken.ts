import ts from 'typescript'
import type { Finding, Rule } from './rules.ts'

/** Whatever a person reads in the console is given to `t` or `rich`, from which the catalogues are made. */

const spokenFiles =
  /^apps\/console\/src\/(?!generated\/|language\/|.*\/samples?(?:-\w+)?\.ts).*(?<!\.test)\.tsx?$/

/** Attributes and properties that are read or heard. */
const spokenNames = new Set([
  'label',
  'title',
  'placeholder',
  'alt',
  'says',
  'confirm',
  'aria-label',
  'aria-description',
  'aria-roledescription',
  'aria-valuetext',
])

/** What stands within them is code. */
const codeElements = new Set(['code', 'pre', 'kbd'])

/** Attributes whose words are for the browser, the style sheet or another part of the console. */
const silentAttributes =
  /^(className|d|viewBox|style|autoComplete|accept|rel|sandbox|cli|sdk|path|query|list|transform|machine)$/

/** Properties likewise; those of keys and commands, and what a sample is called. */
const silentProperties =
  /^(queryKey|mutationKey|list|cli|sdk|command|className|languages|fullName|descriptor|description|line1|city)$/

/** And what is asked by its name, or cut into codes. */
const silentCalls =
  /(^|\.)(querySelector(All)?|matchMedia|useMedia|fetch|addEventListener|form\.set|form\.append)$|^'.*'\s*\.split$/s

/** Two words with a space between them: no code looks so. */
const sentence = /\p{L}[\p{L}’,:;.]* \p{L}{2,}/u
const word = /\p{L}{2,}/u
export const spokenRule: Rule = {
  name: 'spoken',
  check: ({ path, text }) => (spokenFiles.test(path) ? unspoken(path, text) : []),
}

/** Whether a text is read wherever it says a word, or only where it looks as no code does. */
type Reading = 'SHOWN' | 'NAMED' | 'UNKNOWN'

function unspoken(path: string, text: string): Finding[] {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)
  const found: { readonly line: number; readonly said: string }[] = []
  const tell = (node: ts.Node, said: string) => {
    const { line } = file.getLineAndCharacterOfPosition(node.getStart(file))
    found.push({ line: line + 1, said: said.trim().replace(/\s+/g, ' ').slice(0, 60) })
  }
  const visitAll = (nodes: readonly (ts.Node | undefined)[], reading: Reading): void => {
    for (const node of nodes) if (node) visit(node, reading)
  }
  const visit = (node: ts.Node, reading: Reading): void => {
    if (isSilent(node)) return
    if (ts.isJsxText(node)) {
      if (word.test(node.text) && !isCode(node.text.trim())) tell(node, node.text)
    } else if (ts.isStringLiteralLike(node)) {
      if (isSaid(node.text, reading)) tell(node, node.text)
    } else if (ts.isTemplateExpression(node)) {
      const said = [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].join('…')
      if (isSaid(said, reading)) tell(node, said)
      visitAll(
        node.templateSpans.map(({ expression }) => expression),
        'UNKNOWN',
      )
    } else if (ts.isCallExpression(node) && /^(t|rich)$/.test(node.expression.getText(file))) {
      visitAll(node.arguments.slice(1), 'UNKNOWN')
    } else if (ts.isConditionalExpression(node)) {
      visit(node.condition, 'UNKNOWN')
      visitAll([node.whenTrue, node.whenFalse], reading)
    } else if (ts.isBinaryExpression(node)) {
      const operator = node.operatorToken.getText(file)
      visit(node.left, /^(\|\||\?\?)$/.test(operator) ? reading : 'UNKNOWN')
      visit(node.right, /^(&&|\|\||\?\?)$/.test(operator) ? reading : 'UNKNOWN')
    } else if (ts.isParenthesizedExpression(node)) {
      visit(node.expression, reading)
    } else if (ts.isJsxExpression(node)) {
      visitAll([node.expression], ts.isJsxAttribute(node.parent) ? reading : 'SHOWN')
    } else if (ts.isJsxAttribute(node) || ts.isPropertyAssignment(node)) {
      visitAll([node.initializer], spokenNames.has(node.name.getText(file)) ? 'NAMED' : 'UNKNOWN')
    } else if (ts.isArrayLiteralExpression(node) && node.elements.length === 2 && isOfFacts(node, file)) {
      // The first of two is what the second is called.
      visit(node.elements[0]!, 'NAMED')
      visit(node.elements[1]!, 'UNKNOWN')
    } else ts.forEachChild(node, (child) => visit(child, 'UNKNOWN'))
  }
  visit(file, 'UNKNOWN')
  const message = 'is not given to t or rich, so it cannot be translated'
  return found.map(({ line, said }) => ({ path, line, message: `“${said}” ${message}` }))

  function isSilent(node: ts.Node): boolean {
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node) || ts.isTypeNode(node)) return true
    // What was built wrong is told to who builds it.
    if (ts.isThrowStatement(node)) return true
    if (ts.isCallExpression(node)) return silentCalls.test(node.expression.getText(file))
    if (ts.isJsxAttribute(node)) {
      const name = node.name.getText(file)
      // A machine of states or a list by its name; facts are an array.
      const isName = name === 'of' && node.initializer && ts.isStringLiteral(node.initializer)
      return isName || silentAttributes.test(name)
    }
    if (ts.isPropertyAssignment(node)) return silentProperties.test(node.name.getText(file))
    return ts.isJsxElement(node) && codeElements.has(node.openingElement.tagName.getText(file))
  }
}

function isSaid(text: string, reading: Reading): boolean {
  if (isCode(text)) return false
  if (sentence.test(text)) return true
  if (reading === 'SHOWN') return word.test(text)
  return reading === 'NAMED' && word.test(text) && !/^[a-z]\w*$/.test(text)
}

/** `SEPA_INSTANT`, `transactions.get`, `/payments`, a command and its options: the same in every language. */
function isCode(text: string): boolean {
  if (/:is\(|(^|, )\.[a-z]|(^|\n)(import|const) /.test(text)) return true
  if (/^(corridor|curl|npx|npm) /.test(text) || / -{1,2}\w/.test(` ${text}`)) return true
  return (
    /^[A-Z0-9_]{2,}$/.test(text) ||
    /^[a-z]+[A-Z]\w*$|^[a-z]\w*[./]\S*$/.test(text) ||
    /^\S*[/_={}<>]\S*$/.test(text)
  )
}

/** Within the attribute `of` of a list of facts. */
function isOfFacts(node: ts.Node, file: ts.SourceFile): boolean {
  for (let around = node.parent; around; around = around.parent) {
    if (ts.isJsxAttribute(around)) return around.name.getText(file) === 'of'
    if (ts.isFunctionLike(around)) return false
  }
  return false
}
