import { createHash } from 'node:crypto'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { type AuditProgress, goesOn } from '@corridor/engine/mechanisms/audit/resumable.ts'
import type { Instant } from '@corridor/kernel'
import type { DataDirectory } from './data-directory.ts'
import { readIfThere } from './directory-lock.ts'

/** Older findings may no longer be true. */
const keptMs = 86_400_000

interface Kept {
  /** Digest of the address of the database: progress on one says nothing about another. */
  readonly database: string
  readonly startedAt: Instant
  readonly progress: AuditProgress
}

/** Keeps the progress of `npm run audit` in the data directory, so that it can go on after an interruption. */
export function auditProgressIn(directory: DataDirectory, address: string, now: Instant) {
  const path = join(directory.path, 'audit-progress.json')
  const database = createHash('sha256').update(address).digest('hex')
  const kept = read(path)
  const isUsable = kept?.database === database && now - kept.startedAt < keptMs
  const progress = isUsable ? goesOn(kept.progress) : undefined
  const startedAt = progress && kept ? kept.startedAt : now
  if (progress) {
    const at = new Date(startedAt).toISOString()
    process.stderr.write(
      `Resuming the audit that started at ${at}: ${progress.step} of ${progress.rules.length} rules are done. Delete ${path} to start from the beginning.\n`,
    )
  }
  return {
    progress,
    save(next: AuditProgress): void {
      const text: Kept = { database, startedAt, progress: next }
      directory.writePrivate(path, JSON.stringify(text))
    },
    remove(): void {
      rmSync(path, { force: true })
    },
  }
}

/** Undefined as well for a file that something else has written. */
function read(path: string): Kept | undefined {
  try {
    return JSON.parse(readIfThere(path) ?? 'null') ?? undefined
  } catch {
    return undefined
  }
}
