/**
 * Files by key, outside the database: a folder, or an object store. What is put there is sealed already,
 * so the store need not be trusted with more than keeping it.
 */
export interface BlobStore {
  /** Stores or replaces. Resolves once the bytes would survive a crash. */
  put(key: string, bytes: Uint8Array): Promise<void>
  get(key: string): Promise<Uint8Array | undefined>
  /** Removing what is not there is no error. */
  remove(key: string): Promise<void>
}

/** Keys are made by the engine: letters, digits, `.`, `-` and `_` between slashes, no part of dots alone. */
export function isBlobKey(key: string): boolean {
  return key.length <= 512 && key.split('/').every((part) => /^[\w-][\w.-]*$/.test(part))
}
