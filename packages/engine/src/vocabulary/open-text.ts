import { Readable } from 'node:stream'

/**
 * A text that grows while somebody reads it. Whoever writes it need not know whether it has ended: the end may come while a
 * reader still stalls, and Node reports writing after the end as an error of the process.
 */
export class OpenText extends Readable {
  readonly #unreadBytes: number
  #isEnded = false

  /** A reader that leaves more than this unread is cut off. */
  constructor(unreadBytes: number) {
    super({ read() {} })
    this.#unreadBytes = unreadBytes
  }

  get isEnded(): boolean {
    return this.#isEnded || this.destroyed
  }

  override push(piece: string | null): boolean {
    if (this.isEnded) return false
    this.#isEnded = piece === null
    const hasRoom = super.push(piece)
    if (this.readableLength > this.#unreadBytes) this.destroy()
    return hasRoom
  }
}
