import type { Decision, FactKind, Relied } from '../../vocabulary/decision.ts'
import type { Book } from '../../vocabulary/scope.ts'
import { textColumn } from './columns.ts'
import { type Connection, isSqlError, type Statement, statement } from './driver.ts'

/** What the decisions of a batch rely on, each version of a row once. */
export type ReliedRows = ReadonlyMap<FactKind, ReadonlyMap<string, Relied>>

export function reliedKey({ kind, id, stamp }: Relied): string {
  return `${kind.name} ${id} ${stamp}`
}

export function reliedRows(decisions: readonly Pick<Decision, 'relies'>[]): ReliedRows {
  const rows = new Map<FactKind, Map<string, Relied>>()
  for (const { relies = [] } of decisions) {
    for (const each of relies) {
      let known = rows.get(each.kind)
      if (!known) {
        known = new Map()
        rows.set(each.kind, known)
      }
      known.set(reliedKey(each), each)
    }
  }
  return rows
}

/** One text for each set of kinds, of which there are as many as commands that know facts. */
const texts = new Map<string, Statement>()

/** A select of the rows that are no longer as they were, of all kinds; `shown` is what it shows of `v(id, stamp)`. */
function outdated(purpose: string, rows: ReliedRows, shown: (kind: FactKind) => string) {
  const kinds = [...rows.keys()].sort((a, b) => (a.name < b.name ? -1 : 1))
  const name = `relied ${purpose} ${kinds.map((kind) => kind.name).join(' ')}`
  let text = texts.get(name)
  if (!text) {
    const parts = kinds.map((kind, index) => {
      const [ids, stamps] = [index * 2 + 3, index * 2 + 4]
      return (
        `select ${shown(kind)} from unnest($${ids}::text::text[], $${stamps}::text::text[]) v(id, stamp) ` +
        `where v.stamp is distinct from ${kind.stampOf('v.id')}`
      )
    })
    text = statement(`relied ${purpose} #${texts.size}`, parts.join(' union all '))
    texts.set(name, text)
  }
  const columns = kinds.flatMap((kind) => {
    const each = [...rows.get(kind)!.values()]
    return [textColumn(each, ({ id }) => id), textColumn(each, ({ stamp }) => stamp)]
  })
  return { text, columns }
}

/** Fails the transaction where one of the rows is no longer as it was (`isOutdated`). Handed over, not waited for. */
export function requireRelied(
  connection: Connection,
  { platformId, environment }: Book,
  rows: ReliedRows,
): void {
  const { text, columns } = outdated('required', rows, () => 'corridor_outdated(v.id)')
  void connection.query(text, [platformId, environment, ...columns])
}

/** Which of them are no longer as they were, by `reliedKey`. */
export async function findOutdated(
  ask: <R>(statement: Statement, parameters: readonly unknown[]) => Promise<R[]>,
  { platformId, environment }: Book,
  rows: ReliedRows,
): Promise<ReadonlySet<string>> {
  const { text, columns } = outdated(
    'found',
    rows,
    (kind) => `'${kind.name} ' || v.id || ' ' || v.stamp as key`,
  )
  const found = await ask<{ key: string }>(text, [platformId, environment, ...columns])
  return new Set(found.map(({ key }) => key))
}

/** A row that was taken for unchanged has changed. */
export function isOutdated(error: unknown): boolean {
  return isSqlError(error) && error.code === 'CR003'
}
