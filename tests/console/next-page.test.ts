import { createCustomer } from '@corridor/testkit/index.ts'
import { expect, it } from 'vitest'
import { describeConsole } from './opened-console.ts'

describeConsole('a list whose next page fails', { expectedFaults: /status of 5\d\d/ }, (at) => {
  it('asks for it again when somebody wants it, and not by itself', async () => {
    const platform = await at.server.platform()
    const sample = await createCustomer(at.server.client(platform), { fullName: 'Ana Lopez' })
    const page = await at.openAs(platform, '')
    let asked = 0
    let fails = true
    await page.route('**/customers?*', (route) => {
      const url = new URL(route.request().url())
      if (url.searchParams.has('cursor')) {
        asked++
        if (!fails) return route.fulfill({ json: { data: [sample], totalCount: 101, hasMore: false } })
        return route.fulfill({
          status: 400,
          json: { status: 400, code: 'INVALID_INPUT', message: 'The cursor is not valid.', details: {} },
        })
      }
      const data = Array.from({ length: 100 }, (_, index) => ({
        ...sample,
        id: `Customer:a${index}`,
        fullName: `Person ${index}`,
      }))
      return route.fulfill({ json: { data, totalCount: 101, hasMore: true, nextCursor: 'second' } })
    })
    await page.getByRole('link', { name: 'Customers' }).click()
    await page.getByText('Person 0', { exact: true }).waitFor()
    const again = page.getByRole('button', { name: 'Try again' })
    await again.waitFor()
    const before = asked
    // As long as some more answers take.
    for (let ways = 0; ways < 20; ways++) await page.evaluate(() => fetch('/console/'))
    expect(asked).toBe(before)
    fails = false
    await again.click()
    await again.waitFor({ state: 'detached' })
    expect(asked).toBe(before + 1)
  })
})
