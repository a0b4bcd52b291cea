import { readdirSync, readFileSync } from 'node:fs'

/**
 * CPU seconds of this process and of those below it, ended ones included: Chromium and started servers are
 * half of what some test files cost. Where there is no /proc, only this process counts.
 */
export function cpuSecondsOfTree(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e6 + childTicks() / ticksPerSecond
}

const ticksPerSecond = 100

interface Counted {
  readonly parent: number
  readonly own: number
  /** Of children that have ended. */
  readonly ended: number
}

function childTicks(): number {
  const all = new Map<number, Counted>()
  for (const name of processIds()) {
    const counted = countedOf(name)
    if (counted) all.set(Number(name), counted)
  }
  const isBelow = (id: number): boolean => {
    const parent = all.get(id)?.parent
    return parent !== undefined && (parent === process.pid || isBelow(parent))
  }
  let ticks = all.get(process.pid)?.ended ?? 0
  for (const [id, { own, ended }] of all) if (isBelow(id)) ticks += own + ended
  return ticks
}

function processIds(): string[] {
  try {
    return readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  } catch {
    return []
  }
}

function countedOf(id: string): Counted | undefined {
  try {
    const stat = readFileSync(`/proc/${id}/stat`, 'utf8')
    // The name in parentheses may hold spaces. After it come state, parent, and at 11 to 14 the four times.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const at = (index: number) => Number(fields[index])
    return { parent: at(1), own: at(11) + at(12), ended: at(13) + at(14) }
  } catch {
    return undefined
  }
}
