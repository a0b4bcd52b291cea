import { createHash } from 'node:crypto'
import { createReadStream, existsSync } from 'node:fs'
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join, relative, resolve, sep } from 'node:path'
import { StartRefused } from '../config.ts'

/**
 * What a backup holds. It is written last, so a folder without one is no backup: it was cut short.
 * `database/` is a copy of the embedded cluster, or `database.dump` in it is one of `pg_dump`; `blobs/` are the
 * uploaded files, sealed. Keys are never in it.
 */
export interface Manifest {
  readonly format: 'corridor-backup/1'
  readonly kind: 'postgresql' | 'pglite'
  /** Everything that had been answered by then is in it. */
  readonly startedAt: string
  readonly finishedAt: string
  readonly files: readonly { readonly path: string; readonly bytes: number; readonly sha256: string }[]
  /** Uploaded files that were removed while the backup ran; the database of the backup may still name them. */
  readonly removedMeanwhile: readonly string[]
}

const manifestName = 'manifest.json'

export function partsOf(folder: string): { database: string; dump: string; blobs: string } {
  const path = resolve(folder)
  const database = join(path, 'database')
  return { database, dump: join(database, 'database.dump'), blobs: join(path, 'blobs') }
}

/** Makes the folder of a new backup, for this user alone. Refused where something is already. */
export async function newBackupFolder(folder: string): Promise<void> {
  if (existsSync(folder) && (await readdir(folder)).length > 0) {
    throw new StartRefused(`${folder} is not empty. Each backup needs a new folder.`)
  }
  await mkdir(folder, { recursive: true, mode: 0o700 })
}

export async function writeManifest(
  folder: string,
  facts: Omit<Manifest, 'format' | 'files'>,
): Promise<Manifest> {
  const files = []
  for (const path of await filesIn(folder)) {
    files.push({ path: relative(folder, path).split(sep).join('/'), ...(await digestOf(path)) })
  }
  const manifest: Manifest = { format: 'corridor-backup/1', ...facts, files }
  const text = `${JSON.stringify(manifest, null, 2)}\n`
  await writeFile(join(folder, manifestName), text, { mode: 0o600, flush: true })
  return manifest
}

/** Refused where there is no backup, or one that was cut short. */
export async function readManifest(folder: string): Promise<Manifest> {
  const path = join(folder, manifestName)
  if (!existsSync(path)) {
    throw new StartRefused(`The backup in ${folder} is incomplete: ${manifestName} is missing.`)
  }
  const manifest = JSON.parse(await readFile(path, 'utf8')) as Manifest
  if (manifest.format !== 'corridor-backup/1') {
    throw new StartRefused(`${path} has a format that this version does not support.`)
  }
  return manifest
}

/** The files of the manifest that are missing or that changed since. */
export async function changedFiles(folder: string, { files }: Manifest): Promise<string[]> {
  const changed = []
  for (const { path, bytes, sha256 } of files) {
    const found = await digestOf(join(folder, path)).catch(() => undefined)
    if (found?.bytes !== bytes || found.sha256 !== sha256) changed.push(path)
  }
  return changed
}

async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
}

async function digestOf(path: string): Promise<{ bytes: number; sha256: string }> {
  const { size: bytes } = await stat(path)
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer)
  return { bytes, sha256: hash.digest('hex') }
}
