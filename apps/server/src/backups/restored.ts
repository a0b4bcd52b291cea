import { existsSync } from 'node:fs'
import { cp, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { BlobStore } from '@corridor/engine/ports/blobs.ts'
import { StartRefused } from '../config.ts'
import { blobsIn } from '../wiring.ts'
import { changedFiles, type Manifest, partsOf, readManifest } from './manifest.ts'

/** The manifest of a backup whose files are all there and as they were written. */
export async function wholeBackup(folder: string): Promise<Manifest> {
  const manifest = await readManifest(folder)
  const changed = await changedFiles(folder, manifest)
  if (changed.length === 0) return manifest
  throw new StartRefused(
    `${changed.length} files in the backup are missing or changed. The first is ${changed[0]}.`,
  )
}

/** Puts the copy of an embedded database where there is none. */
export async function restoreCluster(folder: string, target: string): Promise<void> {
  if (existsSync(target) && (await readdir(target)).length > 0) {
    throw new StartRefused(`${target} is not empty. Restore the backup into a new data directory.`)
  }
  await cp(partsOf(folder).database, target, { recursive: true })
}

/** Puts the uploaded files of a backup into a store. */
export async function restoreFiles(folder: string, manifest: Manifest, store: BlobStore): Promise<number> {
  const blobs = blobsIn(partsOf(folder).blobs)
  let count = 0
  for (const { path } of manifest.files) {
    if (!path.startsWith('blobs/')) continue
    const key = path.slice('blobs/'.length)
    const bytes = await blobs.get(key)
    if (!bytes) throw new StartRefused(`${join(folder, path)} disappeared during the restore.`)
    await store.put(key, bytes)
    count++
  }
  return count
}
