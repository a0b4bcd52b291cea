import ts from 'typescript'
import type { Finding, Rule } from './rules.ts'
import type { SourceFile } from './source.ts'

/**
 * States move through their machines: what a change writes into a status is what the machine says, by
 * `stateAfter`, `step` or the `move` of a payment's story. The first state of a new row is no move.
 */
export const stateRule: Rule = {
  name: 'states',
  check: (file) => (isChecked(file.path) ? writtenStates(file) : []),
}

const advice = "take the state from its machine: stateAfter(machine, 'event')"

function isChecked(path: string): boolean {
  return /^packages\/engine\/src\/.*\.ts$/.test(path) && !/\.test\.ts$|\/machines?\.ts$/.test(path)
}

const stateName = /^(status|state|lifecycle|\w+_status|(?!provider)\w+Status)$/
/** A word of a machine; what a third party says is in its own words. */
const stateWord = /^[A-Z][A-Z_]+$/

function writtenStates({ path, text }: SourceFile): Finding[] {
  const tree = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)
  const findings: Finding[] = []
  const report = (node: ts.Node, written: string) => {
    const { line } = tree.getLineAndCharacterOfPosition(node.getStart(tree))
    findings.push({ path, line: line + 1, message: `${written} writes a state by its name; ${advice}` })
  }
  const visit = (node: ts.Node): void => {
    if (ts.isPropertyAssignment(node) && stateName.test(node.name.getText(tree)) && isChange(node.parent)) {
      if (namesState(node.initializer)) report(node, node.getText(tree))
    }
    if (ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node)) {
      const [written] = /(?:\bset|,)\s+(?:status|state|\w+_status) = '[A-Z_]+'/.exec(node.text) ?? []
      if (written) report(node, written)
    }
    ts.forEachChild(node, visit)
  }
  visit(tree)
  return findings
}

/** The columns of an update, the changes of a story, or the same record in a new state. */
function isChange({ parent, properties: [first, ...others] }: ts.ObjectLiteralExpression): boolean {
  const isNew = others.some(({ name }) => /^(id|version)$/.test(name?.getText() ?? ''))
  if (first && ts.isSpreadAssignment(first) && !isNew) return true
  if (ts.isPropertyAssignment(parent) || ts.isVariableDeclaration(parent)) {
    return parent.name.getText() === 'set'
  }
  return (
    ts.isCallExpression(parent) &&
    /(^|\.)(change|move|moved|guarded|updateOf)$/.test(parent.expression.getText())
  )
}

function namesState(value: ts.Expression): boolean {
  if (ts.isStringLiteral(value)) return stateWord.test(value.text)
  if (ts.isAsExpression(value) || ts.isParenthesizedExpression(value)) return namesState(value.expression)
  return ts.isConditionalExpression(value) && (namesState(value.whenTrue) || namesState(value.whenFalse))
}
