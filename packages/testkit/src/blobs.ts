import { type BlobStore, isBlobKey } from '@corridor/engine/ports/blobs.ts'

export interface MemoryBlobs extends BlobStore {
  readonly files: ReadonlyMap<string, Uint8Array>
}

/** A blob store that forgets everything when the test ends. */
export function memoryBlobs(): MemoryBlobs {
  const files = new Map<string, Uint8Array>()
  return {
    files,
    async put(key, bytes) {
      if (!isBlobKey(key)) throw new Error(`not a key: ${key}`)
      files.set(key, Uint8Array.from(bytes))
    },
    get: async (key) => files.get(key),
    async remove(key) {
      files.delete(key)
    },
  }
}
