/**
 * A third party that is asked while somebody waits did not answer, and nothing has been changed: the answer is 503,
 * and the caller may ask again with the same key.
 */
export class ProviderUnavailable extends Error {
  override readonly name = 'ProviderUnavailable'
}
