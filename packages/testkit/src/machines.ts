import { readFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { type Machine, step } from '@corridor/kernel'

/** Every (state, event) pair of a machine with what the table says: the next state or the refusal. */
export function walkMachine(machine: Machine): { pair: string; outcome: string }[] {
  const events = [...new Set(machine.transitions.map(({ on }) => on))]
  return Object.keys(machine.states).flatMap((state) =>
    events.map((event) => {
      const moved = step(machine, state, event)
      return { pair: `${state} ${event}`, outcome: moved.ok ? moved.to : moved.refusal }
    }),
  )
}

const migrations = fileURLToPath(new URL('../../engine/migrations/', import.meta.url))

/** The values that a table's CHECK on a column allows, read from the migrations. */
export async function checkedValues(table: string, column: string): Promise<string[]> {
  for (const name of await readdir(migrations)) {
    const sql = readFileSync(migrations + name, 'utf8')
    const body = sql.split(`create table ${table} (`)[1]?.split('\n);')[0]
    const list =
      body && new RegExp(`${column} text[^,]*check \\(${column} in\\s*\\(([^)]*)\\)`).exec(body)?.[1]
    if (list) return list.split(',').map((value) => value.trim().replaceAll("'", ''))
  }
  throw new Error(`no migration checks ${table}.${column}`)
}
