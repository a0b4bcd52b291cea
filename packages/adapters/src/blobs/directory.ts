import { mkdir, open, readFile, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type BlobStore, isBlobKey } from '@corridor/engine/ports/blobs.ts'

/** Files in a folder of this machine, readable by this user alone. */
export function directoryBlobs(root: string): BlobStore {
  const pathOf = (key: string) => {
    if (!isBlobKey(key)) throw new Error('a blob key names no path outside its folder')
    return join(root, key)
  }
  return {
    async put(key, bytes) {
      const path = pathOf(key)
      await mkdir(dirname(path), { recursive: true, mode: 0o700 })
      // Whole or not at all: what has the final name has been written to the disk.
      const unfinished = `${path}.partial`
      const file = await open(unfinished, 'w', 0o600)
      try {
        await file.writeFile(bytes)
        await file.sync()
      } finally {
        await file.close()
      }
      await rename(unfinished, path)
    },
    async get(key) {
      try {
        return await readFile(pathOf(key))
      } catch (error) {
        if ((error as { code?: string }).code === 'ENOENT') return undefined
        throw error
      }
    },
    remove: (key) => rm(pathOf(key), { force: true }),
  }
}
