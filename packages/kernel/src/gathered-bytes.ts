const firstCapacity = 1024

/**
 * Gathers the pieces of a stream in one buffer. A piece costs its bytes and nothing else: a million pieces of one byte,
 * kept as they came, would take hundreds of megabytes.
 */
export class GatheredBytes {
  readonly maxBytes: number
  #buffer: Uint8Array<ArrayBuffer> = new Uint8Array(0)
  #size = 0
  #isCut = false

  constructor(maxBytes: number) {
    this.maxBytes = maxBytes
  }

  /** Keeps as much of the piece as fits; false once something did not. */
  add(piece: Uint8Array): boolean {
    const room = this.maxBytes - this.#size
    const fitting = piece.length > room ? piece.subarray(0, room) : piece
    this.#isCut ||= fitting.length < piece.length
    const size = this.#size + fitting.length
    if (size > this.#buffer.length) this.#grow(size)
    this.#buffer.set(fitting, this.#size)
    this.#size = size
    return !this.#isCut
  }

  #grow(size: number): void {
    const doubled = Math.max(firstCapacity, this.#buffer.length * 2)
    const grown = new Uint8Array(Math.min(this.maxBytes, Math.max(size, doubled)))
    grown.set(this.#buffer.subarray(0, this.#size))
    this.#buffer = grown
  }

  get size(): number {
    return this.#size
  }

  /** Memory that it holds, which may be up to twice its size. */
  get capacity(): number {
    return this.#buffer.length
  }

  /** Whether more came than fits. */
  get isCut(): boolean {
    return this.#isCut
  }

  /** What has come, without a copy: it changes with the next piece. */
  bytes(): Uint8Array<ArrayBuffer> {
    return this.#buffer.subarray(0, this.#size)
  }

  /** What has come; afterwards it is empty. */
  take(): Uint8Array<ArrayBuffer> {
    const bytes = this.bytes()
    this.#buffer = new Uint8Array(0)
    this.#size = 0
    return bytes
  }
}

/**
 * Reads the body of a response into `gathered`, as far as it fits, and leaves the rest unread: whoever answers must not
 * be able to fill our memory. Rejects if the body breaks off; what had come is in `gathered`.
 */
export async function gatherBody(
  { body }: Pick<Response, 'body'>,
  gathered: GatheredBytes,
): Promise<GatheredBytes> {
  const reader = body?.getReader()
  if (!reader) return gathered
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done || !gathered.add(value)) return gathered
    }
  } finally {
    await reader.cancel().catch(() => {})
  }
}
