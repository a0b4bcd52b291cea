/**
 * Keeps the master key, in this process or in a service outside it, and does the one thing that needs it:
 * wraps the keyring of the installation, a few hundred bytes, and unwraps it at the start.
 */
export interface KeyService {
  /** Names the master key, so that what it has wrapped is found again. Not secret. */
  readonly id: string
  wrap(secret: Uint8Array): Promise<string>
  /** Throws when the text is not of this key, or was changed. */
  unwrap(wrapped: string): Promise<Uint8Array>
  /** Of a master key at hand: the keys that installations made before they had a keyring. */
  readonly formerly?: (purpose: string) => Uint8Array
}
