import type { Page, Request } from 'playwright-core'
import { expect } from 'vitest'

/** Returns a function that ends once the page has drawn all that it asked for. A stream has no end. */
export function watchRequests(page: Page): () => Promise<void> {
  const underWay = new Set<Request>()
  page.on('request', (request) => request.url().endsWith('/stream') || underWay.add(request))
  page.on('requestfinished', (request) => underWay.delete(request))
  page.on('requestfailed', (request) => underWay.delete(request))
  return () =>
    expect
      .poll(async () => {
        await nextFrames(page)
        return [...underWay].map((request) => request.url())
      })
      .toEqual([])
}

/** What has changed is drawn after them. */
export async function nextFrames(page: Page): Promise<void> {
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')
}
