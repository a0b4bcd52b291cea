import type { Instant } from '@corridor/kernel'
import { auditBook } from '../../mechanisms/audit/audit.ts'
import type { Engine } from '../../mechanisms/feature/engine.ts'
import { logOutsideRequest } from '../../mechanisms/unexpected.ts'
import { bookKey, type Scope } from '../../vocabulary/scope.ts'

/** What an audit of one book found, and when. */
export interface Verdict extends Awaited<ReturnType<typeof auditBook>> {
  /** On the clock of the book. */
  readonly checkedAt: Instant
  readonly milliseconds: number
}

type Parts = Pick<Engine, 'database' | 'world'>

const repeatedForMs = 5_000
/** An audit takes at most a twentieth of the time, however often it is asked for. */
const restPerWork = 20
/** A caller waits so long for one that is under way. */
const patienceMs = 3_000
/** Books whose verdicts are kept. */
const mostBooks = 1_000

interface Kept {
  readonly verdicts: Map<string, { readonly verdict: Verdict; readonly endedAt: Instant }>
  readonly running: Map<string, Promise<void>>
}
/** Of each installation in this process. */
const kept = new WeakMap<Parts['database'], Kept>()

/**
 * The latest verdict on a book, from an audit that is begun where the last is old. One audit runs at a time in a process:
 * those of other books get what is known, and undefined where that is nothing.
 */
export async function verdictOn({ database, world }: Parts, scope: Scope): Promise<Verdict | undefined> {
  let known = kept.get(database)
  if (!known) {
    known = { verdicts: new Map(), running: new Map() }
    kept.set(database, known)
  }
  const { verdicts, running } = known
  // A failover may undo what the previous server showed, so each server has its own verdicts.
  const key = `${database.server()} ${bookKey(scope)}`
  const latest = verdicts.get(key)
  const restsMs = Math.max(repeatedForMs, (latest?.verdict.milliseconds ?? 0) * restPerWork)
  if (latest && world.now() - latest.endedAt < restsMs) return latest.verdict
  if (running.size === 0) {
    const startedAt = world.now()
    const run = auditBook(database, scope)
      .then((found) => {
        verdicts.delete(key)
        const endedAt = world.now()
        const verdict = { ...found, checkedAt: scope.now, milliseconds: endedAt - startedAt }
        verdicts.set(key, { verdict, endedAt })
        if (verdicts.size > mostBooks) verdicts.delete(verdicts.keys().next().value!)
      })
      .catch((error: unknown) => logOutsideRequest(world.log, 'audit of a ledger', error))
      .finally(() => running.delete(key))
    running.set(key, run)
  }
  const over = new AbortController()
  await Promise.race([running.get(key), world.sleep(patienceMs, over.signal).catch(() => {})])
  over.abort()
  return verdicts.get(key)?.verdict
}
