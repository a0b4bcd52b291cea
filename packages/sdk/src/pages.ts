/** One page of a list, as the server answers it. */
export interface Page<T> {
  readonly data: T[]
  readonly hasMore?: boolean
  readonly nextCursor?: string
  readonly totalCount?: number
}

/**
 * A list: `for await` walks all of it, page by page, in constant memory; `await` gives the first page. Each walk
 * starts anew.
 */
export class PagedList<T> implements AsyncIterable<T>, PromiseLike<Page<T>> {
  readonly #read: (cursor: string | undefined) => Promise<Page<T>>

  constructor(read: (cursor: string | undefined) => Promise<Page<T>>) {
    this.#read = read
  }

  /** The pages themselves, for those who count or show them. */
  async *pages(): AsyncGenerator<Page<T>, void> {
    let page = await this.#read(undefined)
    for (;;) {
      yield page
      if (!page.hasMore || page.nextCursor === undefined) return
      page = await this.#read(page.nextCursor)
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void> {
    for await (const page of this.pages()) yield* page.data
  }

  /** The first entries as an array: at most `limit`. */
  async first(limit: number): Promise<T[]> {
    const found: T[] = []
    if (limit <= 0) return found
    for await (const each of this) {
      found.push(each)
      if (found.length >= limit) break
    }
    return found
  }

  // biome-ignore lint/suspicious/noThenProperty: `await list` gives the first page
  then<A = Page<T>, B = never>(
    resolved?: ((page: Page<T>) => A | PromiseLike<A>) | null,
    rejected?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.#read(undefined).then(resolved, rejected)
  }
}
