/** One row of the registry: everything the platform says about one error code. */
export interface ErrorEntry {
  /** HTTP status, repeated in the body. */
  readonly status: number
  /** The code in the body where it differs from the key: 413 answers INVALID_INPUT (conventions 10). */
  readonly wireCode?: string
  /** For people, in English; never parsed and never holding input (conventions 12). */
  readonly message: string
  /** What the caller should do; printed in the error reference. */
  readonly advice: string
  /** Whether repeating the same request later can succeed (`x-should-retry`, conventions 6). */
  readonly retryable?: true
  /** The keys `details` may carry: a contract that callers may read. */
  readonly details?: readonly string[]
}
