import { expect, it } from 'vitest'
import { describeConsole } from './opened-console.ts'

describeConsole('a page that nobody touches', (at) => {
  it('says that it asks by itself, until somebody is there again', async () => {
    const page = await at.open('')
    await at.signIn(page, await at.server.platform())
    await page.getByText('No payments yet.').waitFor()
    await page.clock.install()
    await page.reload()
    await page.getByText('No payments yet.').waitFor()
    const asked = (as: string) =>
      page.waitForRequest(
        (request) => /\/console\/api\//.test(request.url()) && request.headers()['x-corridor-console'] === as,
      )
    const alone = asked('background')
    // Once more than the pause between two looks, after more than a minute without a touch.
    for (let minute = 0; minute < 3; minute++) await page.clock.runFor(45_000)
    expect((await alone).method()).toBe('GET')
    await page.keyboard.press('Tab')
    const again = asked('1')
    await page.clock.runFor(15_000)
    expect((await again).method()).toBe('GET')
    await page.close()
    expect(at.faults).toEqual([])
  })
})
