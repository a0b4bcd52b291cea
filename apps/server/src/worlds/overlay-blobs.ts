import type { BlobStore } from '@corridor/engine/ports/blobs.ts'

/** A mark in place of a file: what is sealed is never empty. */
const removed = new Uint8Array(0)

/** Files of a fork: those of the world that it is a copy of, which stay as they are, under its own. */
export function overlayBlobs(own: BlobStore, below: BlobStore): BlobStore {
  return {
    put: (key, bytes) => own.put(key, bytes),
    async get(key) {
      const bytes = await own.get(key)
      if (bytes === undefined) return below.get(key)
      return bytes.length === 0 ? undefined : bytes
    },
    remove: (key) => own.put(key, removed),
  }
}
