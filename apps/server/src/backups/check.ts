import { sealedColumns } from '@corridor/engine/assembly/sealed-columns.ts'
import { type AuditReport, auditEverything } from '@corridor/engine/mechanisms/audit/audit.ts'
import { createDatabase } from '@corridor/engine/mechanisms/db/database.ts'
import type { Driver } from '@corridor/engine/mechanisms/db/driver.ts'
import { migrate, readMigrations } from '@corridor/engine/mechanisms/db/migrate.ts'
import { openWrapped, readWrapped, WrongMasterKey } from '@corridor/engine/mechanisms/keys/keyring.ts'
import { createKeys } from '@corridor/engine/mechanisms/keys/keys.ts'
import { checkSealedTexts, type SealedTextsReport } from '@corridor/engine/mechanisms/keys/sealed-texts.ts'
import { checkStoredFiles, type FilesReport } from '@corridor/engine/people/documents/index.ts'
import type { BlobStore } from '@corridor/engine/ports/blobs.ts'
import type { KeyService } from '@corridor/engine/ports/key-service.ts'
import type { World } from '@corridor/kernel'
import { migrationsDirectory } from '../first-use.ts'

/** What a restored installation comes to. `sound`: nothing is missing, everything opens, the books add up. */
export interface RestoreReport {
  readonly sound: boolean
  /** What an operator reads first: a sentence for each thing that is wrong. */
  readonly problems: readonly string[]
  readonly ledger: AuditReport
  readonly sealedTexts: SealedTextsReport | undefined
  readonly files: FilesReport | undefined
}

/**
 * Looks at a restored database, its files and its master key together. The database is brought up to this
 * program's schema first; nothing else is changed. `removedMeanwhile` are files that were taken away while the
 * backup was made.
 */
export async function checkRestored(parts: {
  readonly driver: Driver
  readonly blobs: BlobStore
  readonly keyService: KeyService
  readonly world: World
  readonly removedMeanwhile: readonly string[]
}): Promise<RestoreReport> {
  const { driver, blobs, keyService, world, removedMeanwhile } = parts
  const database = createDatabase(driver)
  await migrate(database, await readMigrations(migrationsDirectory()))
  const ledger = await auditEverything(database)
  const problems = ledger.sound ? [] : [`The ledger does not balance: ${ledger.problems.length} problems.`]
  const ring = await openWrapped(await readWrapped(database), keyService).catch((error: unknown) => {
    if (!(error instanceof WrongMasterKey)) throw error
    problems.push('The master key does not match this database: it cannot open the sealed data.')
    return undefined
  })
  if (!ring) return { sound: false, problems, ledger, sealedTexts: undefined, files: undefined }
  const { keys } = createKeys(world, ring)
  const sealedTexts = await checkSealedTexts(database, keys, sealedColumns)
  for (const { column, texts, firstRow } of sealedTexts.unreadable) {
    problems.push(`${texts} sealed texts of ${column} cannot be opened. The first is in row ${firstRow}.`)
  }
  const found = await checkStoredFiles(database, keys, blobs)
  const removed = new Set(removedMeanwhile)
  const files = { ...found, missing: found.missing.filter((key) => !removed.has(key)) }
  if (files.missing.length > 0) {
    problems.push(`${files.missing.length} uploaded files are missing. The first is ${files.missing[0]}.`)
  }
  if (files.unreadable.length > 0) {
    problems.push(
      `${files.unreadable.length} uploaded files cannot be opened. The first is ${files.unreadable[0]}.`,
    )
  }
  return { sound: problems.length === 0, problems, ledger, sealedTexts, files }
}
