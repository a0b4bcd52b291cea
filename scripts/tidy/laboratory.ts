import { isTestFile } from './dependencies.ts'
import type { Rule } from './rules.ts'
import { lineAt } from './source.ts'

/** Code that real third parties use as well: faults of the sandbox change its calls and responses from outside (ADR 39). */
const real = /^packages\/engine\/src\/(money|people|notices|mechanisms\/(outbox|jobs|http))\//

/** Lists the resources of every kind by their names. */
const except = 'packages/engine/src/money/search/kinds.ts'

/** Not `default`. */
const name = /\b(?:[a-z]\w*F|[fF])ault\w*/g
const comment = /\/\*[\s\S]*?\*\/|\/\/[^\n]*/g

const advice = 'let a decorator in mechanisms/faults change what the port or the request does'

/** Strings may say more: they are words of the API. */
export const laboratoryRule: Rule = {
  name: 'laboratory',
  check({ path, text, code, imports }) {
    if (!real.test(path) || path === except || isTestFile(path)) return []
    const imported = imports
      .filter(({ target }) => /\/(mechanisms|platform)\/faults\//.test(target ?? ''))
      .map(({ target, line }) => ({ path, line, message: `imports ${target}; ${advice}` }))
    const named = [
      ...[...code.matchAll(name)].map((match) => ({ word: match[0], at: match.index })),
      ...[...text.matchAll(comment)].flatMap(({ 0: said, index }) =>
        [...said.matchAll(name)].map((match) => ({ word: match[0], at: index + match.index })),
      ),
    ]
    return [
      ...imported,
      ...named.map(({ word, at }) => ({
        path,
        line: lineAt(text, at),
        message: `names ${word}; ${advice}`,
      })),
    ]
  },
}
