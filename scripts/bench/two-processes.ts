import type { ChildProcess } from 'node:child_process'
import type { LoadRequest, LoadResult, LoadRun } from './load.ts'
import { median } from './median.ts'
import { cpuSecondsOf } from './server.ts'

/** Payments at once, and what each takes, of one or two processes together. */
export interface Processes {
  readonly perSecond: number
  readonly nodeCpuMs: number
  readonly serverCpuMs: number
}

/**
 * The same load on one API process, and shared between two on one database, in turns. Both stay up, so that what else the
 * machine does falls upon both alike.
 */
export async function measureProcesses(options: {
  readonly load: (run: Pick<LoadRun, 'origin' | 'requests'> & Partial<LoadRun>) => Promise<LoadResult>
  readonly requests: readonly LoadRequest[]
  readonly connections: number
  readonly turns: number
  /** Of each process, where it is asked. */
  readonly processes: readonly (readonly [ChildProcess, origin: string])[]
  readonly run: Partial<LoadRun>
  readonly serverCpuSeconds: () => Promise<number>
}): Promise<{ readonly one: Processes; readonly two: Processes }> {
  const { load, requests, processes, serverCpuSeconds } = options
  const figures: { one: Processes[]; two: Processes[] } = { one: [], two: [] }

  const nodeCpuSeconds = async () => {
    const each = await Promise.all(processes.map(([{ pid }]) => cpuSecondsOf(pid!)))
    return each.reduce((sum, seconds) => sum + seconds, 0)
  }
  async function measure(among: typeof processes): Promise<Processes> {
    const [node, server] = [await nodeCpuSeconds(), await serverCpuSeconds()]
    const connections = options.connections / among.length
    const results = await Promise.all(
      among.map(([, origin]) => load({ ...options.run, origin, requests, connections })),
    )
    const count = results.reduce((sum, result) => sum + result.count, 0)
    const used = { node: (await nodeCpuSeconds()) - node, server: (await serverCpuSeconds()) - server }
    return {
      perSecond: results.reduce((sum, { perSecond }) => sum + perSecond, 0),
      nodeCpuMs: (used.node * 1_000) / count,
      serverCpuMs: (used.server * 1_000) / count,
    }
  }
  // Each compiles what it runs often.
  await measure(processes)
  for (let turn = 0; turn < options.turns; turn++) {
    const order = turn % 2 ? (['two', 'one'] as const) : (['one', 'two'] as const)
    for (const name of order) {
      figures[name].push(await measure(name === 'one' ? processes.slice(0, 1) : processes))
    }
  }
  const typical = (all: readonly Processes[]): Processes => ({
    perSecond: median(all.map(({ perSecond }) => perSecond)),
    nodeCpuMs: median(all.map(({ nodeCpuMs }) => nodeCpuMs)),
    serverCpuMs: median(all.map(({ serverCpuMs }) => serverCpuMs)),
  })
  return { one: typical(figures.one), two: typical(figures.two) }
}
