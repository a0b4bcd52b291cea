import { type Item, type OperationRow, operationTable } from '@corridor/sdk/index.ts'

type Request = Pick<Item<'listRequests'>, 'operation' | 'method' | 'path' | 'resources'>

/**
 * A request as it may be made again: with the ids it was made with. What was sent is not kept, so a body stands as `body`
 * in code and as `body.json` in commands. An id that was none of ours is not kept either, and its name stands there.
 */
export function formsOf({ operation, method, path, resources }: Request) {
  const row = operationTable.find(({ id }) => id === operation)
  const given = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => resources[name!] ?? `{${name}}`)
  const ids = [...given]
  const takesBody = row?.body === 'json'
  return {
    method: method as OperationRow['method'],
    path: path.replace(/\{\w+\}/g, () => {
      const id = ids.shift()!
      return id.startsWith('{') ? id : encodeURIComponent(id)
    }),
    takesBody,
    takesFile: row?.body === 'form',
    sdk: row ? `${bodyOf(row)}const answer = await corridor.${row.name}(${argumentsOf(row, given)})` : '',
    cli: row
      ? ['corridor', ...wordsOf(row), ...given, ...(takesBody ? ['--data @body.json'] : [])].join(' ')
      : '',
  }
}

/** It was not kept, so whoever pastes the code writes it there. */
const bodyOf = ({ body }: OperationRow) =>
  body === 'json' ? 'const body = {} // what was sent is not kept\n' : ''

function argumentsOf({ body, requiredBody }: OperationRow, ids: readonly string[]): string {
  const last = body !== 'json' ? [] : [requiredBody ? 'body' : '{ body }']
  return [...ids.map((id) => `'${id}'`), ...last].join(', ')
}

const wordsOf = ({ name }: OperationRow) =>
  name.split('.').map((part) => part.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`))
