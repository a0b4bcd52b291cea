import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { type Answer, Corridor } from '@corridor/sdk'
import type { Command, Context } from '../command.ts'
import { misused } from '../exit.ts'

/** Beside the data of `corridor dev`: what its sandbox is drawn from. */
export const seedFile = 'seed'

const mostRequests = 1_000
/** Ids that we have made; what else a path may name is somebody's, as an address is. */
const isOurs = /^[A-Za-z]\w{0,63}:[0-9a-f-]{36}$/

type Logged = Answer<'listRequests'>['data'][number]

export const report: Command = {
  words: ['report'],
  says: 'Write a bug report with the seed, clock, faults and requests, but no secrets or names',
  flags: {
    out: { type: 'string', says: 'output file (default: standard output)' },
    limit: {
      type: 'string',
      says: `number of most recent requests to include, at most ${mostRequests} (default 200)`,
    },
    data: { type: 'string', says: 'data folder of corridor dev (default .corridor)' },
  },
  async run(context) {
    const { terminal } = context
    const limit = Number(context.text('limit') ?? '200')
    if (!Number.isInteger(limit) || limit < 1 || limit > mostRequests) {
      throw misused(`--limit must be a number from 1 to ${mostRequests}.`)
    }
    const text = JSON.stringify(await collect(context, limit), null, 2)
    const path = context.text('out')
    if (path === undefined) {
      terminal.out(text)
      return undefined
    }
    writeFileSync(resolve(terminal.directory, path), `${text}\n`, { mode: 0o600 })
    terminal.note(`✓ report written to ${path}`)
    return undefined
  },
}

async function collect(context: Context, limit: number): Promise<object> {
  const client = context.client()
  const { sandbox } = client
  const latest = await client.requestLog.list({ limit: Math.min(limit, 100) } as never).first(limit)
  const clock = await sandbox.clock.get().catch(unlessForbidden)
  const faults = clock ? await sandbox.faults.list({ limit: 100 } as never).first(100) : []
  return {
    madeAt: new Date(context.terminal.now()).toISOString(),
    version: new URL(client.baseUrl).pathname.split('/').at(-1),
    seed: seedOf(context),
    ...(clock ? { clock } : {}),
    faults,
    requests: latest.reverse().map(withoutNames),
  }
}

/** Production has neither clock nor faults. */
function unlessForbidden(error: unknown): undefined {
  if (error instanceof Corridor.Error && error.status === 403) return undefined
  throw error
}

/** That of the sandbox in this folder; null: it was given none, or is another machine's. */
function seedOf(context: Context): string | null {
  const path = resolve(context.terminal.directory, context.text('data') ?? '.corridor', seedFile)
  return existsSync(path) ? readFileSync(path, 'utf8').trim() : null
}

/** A request as the log has it, which keeps no bodies, without what could say whose it is. */
function withoutNames({ resources, source: _, ...request }: Logged): object {
  const ids = Object.entries(resources).map(([name, id]) => [name, isOurs.test(id) ? id : '…'])
  return { ...request, resources: Object.fromEntries(ids) }
}
