import { readFileSync } from 'node:fs'
import { createCustomer } from '@corridor/testkit/index.ts'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { describeConsole, goTo } from './opened-console.ts'
import { watchRequests } from './requests.ts'
import type { Call } from './responder.ts'

const router = readFileSync(new URL('../../apps/console/src/app/router.tsx', import.meta.url), 'utf8')

/** What a list says of being empty, and what fills it where that stands beside it. */
type Empty = readonly [text: string, fill?: string]
const lists: Readonly<Record<string, readonly Empty[]>> = {
  '': [
    [
      'No payments yet. Run a scenario below, or make a payment with your own accounts.',
      'Make a sample payment',
    ],
  ],
  payments: [['No payments yet.']],
  webhooks: [['No events yet.']],
  requests: [['No requests yet. Your requests will appear here.', 'curl -X GET']],
  ledger: [['No money has moved yet.']],
  'sandbox/inbox': [['No messages yet. Codes and links for customers appear here.']],
  'sandbox/faults': [['No faults.', 'Create']],
  customers: [['No customers yet.', '20 sample people']],
  accounts: [
    ['The platform has no external accounts.', 'Add an external account'],
    ['No customer has an account yet.'],
  ],
  receivables: [['No receivables: no customer owes anything', 'Let a bank return a collection']],
  cards: [['No cards have been issued yet.']],
  agents: [['No agents yet.']],
  stablecoins: [['No stablecoins are registered.'], ['No provider account is linked.', 'Link the account']],
  verifications: [['No customer has been submitted for verification yet.']],
  documents: [['No documents have been uploaded yet.']],
}
/** Pages whose lists are never empty, or stand in other worlds. */
const full = ['network', 'rates', 'settings', 'sandbox', 'sandbox/clock']
/** Forms and buttons without a list; this server has no worlds to list. */
const forms = ['quotes/new', 'external-accounts/new', 'sandbox/scenarios', 'sandbox/money', 'sandbox/worlds']
const all = [...Object.keys(lists), ...full]

describeConsole('the lists in each of their states', { expectedFaults: /status of 503|ERR_FAILED/ }, (at) => {
  async function opened() {
    const page = await at.openAs(await at.server.platform(), '')
    const base = new URL(page.url()).pathname
    const address = (path: string) => (path === '' ? base : `${base}/${path}`)
    return { page, address }
  }

  it('knows every page of the router that names nothing', () => {
    const static_ = [...router.matchAll(/\bpage\(\s*'\/([^']*)'/g)]
      .map(([, path]) => path!)
      .filter((path) => !path.includes('$'))
    expect([...all, ...forms].sort()).toEqual(static_.sort())
  })

  it('has its layout at once, rows that hold the place, a bar, and at last what it waits for', async () => {
    const { page, address } = await opened()
    await page.clock.install()
    const found = await ofEach(all, async (path) => {
      const held: Call[] = []
      let release = () => {}
      const released = new Promise<undefined>((resolve) => {
        release = () => resolve(undefined)
      })
      at.respond((call) => {
        // By it the console learns what the platform is called, before there is any page.
        if (call.path === 'config') return undefined
        held.push(call)
        return released
      })
      await page.clock.pauseAt(((await page.evaluate('Date.now()')) as number) + 1_000)
      await page.goto(at.origin + address(path))
      const skeleton = page.locator('main .skeleton').first()
      const look = async () => {
        await page.clock.runFor(20)
        return (await skeleton.count()) + (await page.locator('main h1').count())
      }
      await expect.poll(look, { message: 'title and skeleton', timeout: 15_000, interval: 5 }).toBe(2)
      expect(await skeleton.locator('.bar').count(), 'a bar at once').toBe(0)
      await page.clock.runFor(450)
      expect(await skeleton.locator('.bar').count(), 'a bar after 400 ms').toBe(1)
      const slow = page.getByText('This takes longer than usual.').first()
      expect(await slow.count(), 'a text so soon').toBe(0)
      await page.clock.runFor(10_000)
      const said = await slow.innerText({ timeout: 15_000 })
      const asked = held.map(
        ({ method, path, requestId }) => `It waits for ${method} /2025-10-13/${path} · request ${requestId}`,
      )
      expect(
        asked.filter((each) => said.includes(each)),
        said,
      ).toHaveLength(1)
      at.respond(() => undefined)
      release()
      await page.clock.resume()
      await page.locator('main .skeleton').first().waitFor({ state: 'detached' })
    })
    expect(found).toBe('')
  }, 300_000)

  it('says of each list that is empty what it would hold, how it is filled, and the command', async () => {
    const { page, address } = await opened()
    const found = await ofEach(Object.keys(lists), async (path) => {
      await goTo(page, address(path))
      for (const [text, fill] of lists[path]!) {
        const nothing = page.locator('.nothing').filter({ hasText: text }).first()
        await nothing.waitFor({ timeout: 10_000 })
        await nothing.locator('code, pre').first().waitFor({ timeout: 10_000 })
        const filling =
          fill === undefined ? nothing.locator('button, a') : page.locator('main').getByText(fill)
        await filling.first().waitFor({ timeout: 10_000 })
      }
    })
    expect(found).toBe('')
  }, 180_000)

  it('asks for nothing that would be refused always', async () => {
    const platform = await at.server.platform()
    const { id } = await createCustomer(at.server.client(platform))
    const page = await at.openAs(platform, '')
    const base = new URL(page.url()).pathname
    const idle = watchRequests(page)
    const refused: string[] = []
    page.on('response', (response) => {
      const { pathname } = new URL(response.url())
      if (response.status() >= 400 && !pathname.endsWith('/stream'))
        refused.push(`${response.status()} ${pathname}`)
    })
    // Loaded once: the frame around the pages asks the same on each.
    await page.reload()
    for (const path of [...all, ...forms, `customers/${id}`]) {
      await goTo(page, path === '' ? base : `${base}/${path}`)
      await settled(page)
      await idle()
    }
    expect(refused).toEqual([])
  }, 120_000)

  it('says of each filter that it leaves nothing, and drops it', async () => {
    const { page, address } = await opened()
    const fields = `[...document.querySelectorAll('main form.filters :is(input, select)')]
      .map((field) => ({ name: field.name, of: [...(field.options ?? [])].map(({ value }) => value).filter(Boolean) }))`
    const found = await ofEach(
      // A receiver is looked up, and no list filtered.
      all.filter((path) => path !== '' && path !== 'network'),
      async (path) => {
        await goTo(page, address(path))
        await settled(page)
        const filters = (await page.evaluate(fields)) as { name: string; of: string[] }[]
        const wrong = await ofEach(
          filters.map(({ name, of }) => `${name}=${encodeURIComponent(of[0] ?? unmatched(name))}`),
          async (query) => {
            await goTo(page, `${address(path)}?${query}`)
            const said = page.locator('main .nothing').filter({ hasText: 'Nothing matches these filters.' })
            // What the API does not take as it is says so, and is dropped as well.
            const refused = page.locator('main [role=alert]').filter({ hasText: ' · 400 · ' })
            await said.or(refused).first().waitFor({ timeout: 10_000 })
            if ((await said.count()) > 0) expect(await said.innerText()).toContain('It matches nothing.')
            const drop = (await said.count()) > 0 ? /^Drop “/ : 'Drop the filters'
            await page.getByRole('button', { name: drop }).first().click()
            await said.or(refused).first().waitFor({ state: 'detached' })
            expect(page.url()).not.toContain(query.split('=')[0])
          },
        )
        if (wrong !== '') throw new Error(wrong)
      },
    )
    expect(found).toBe('')
  }, 300_000)

  it('names on each page the permission that the credential lacks, and takes no list for empty', async () => {
    const { page, address } = await opened()
    const details = { requiredPermission: 'VIEW' }
    const json = { code: 'FORBIDDEN', message: 'It is not allowed.', status: 403, details }
    at.respond(() => ({ status: 403, json }))
    const found = await ofEach(all, async (path) => {
      await page.goto(at.origin + address(path))
      await settled(page)
      const said = await page.locator('main').getByRole('alert').first().innerText({ timeout: 15_000 })
      expect(said).toContain('lacks the permission VIEW')
      expect(
        await page.locator('main .nothing:not([role=alert])').allInnerTexts(),
        'said to be empty',
      ).toEqual([])
      const beside = await page
        .locator('main :is(.fields, .filters) > [role=alert]')
        .evaluateAll((all) =>
          all.filter((alert) =>
            [...alert.parentElement!.children].some(
              (each) =>
                each !== alert && each.getBoundingClientRect().bottom > alert.getBoundingClientRect().top,
            ),
          ),
        )
      expect(beside.length, 'refusals between fields').toBe(0)
    })
    expect(found).toBe('')
  }, 180_000)

  it('says where one signs in that the credential is held to other parts of the API', async () => {
    const client = at.server.client(await at.server.platform())
    const body = { name: 'Settings alone', permissions: ['VIEW'], areas: ['CONFIGURATION'] }
    const { data } = (await client.POST('/tokens' as never, { body } as never)) as {
      data: { clientId: string; clientSecret: string }
    }
    const page = await at.open('')
    await page.getByLabel('Client id').fill(data.clientId)
    await page.getByLabel('Client secret').fill(data.clientSecret)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('alert').getByText('limited to other areas of the API').waitFor()
  })

  it('keeps what stands there while nothing is told, and says since when', async () => {
    const { page, address } = await opened()
    await page.route('**/stream', (route) => route.abort())
    await page.reload()
    const bar = page.locator('main > .stale')
    const since = await bar.innerText()
    expect(since).toMatch(/^Live updates stopped at \d\d:\d\d:\d\d \(your clock\)\. Reconnecting/)
    const found = await ofEach(all, async (path) => {
      await goTo(page, address(path))
      await settled(page)
      expect(await bar.innerText()).toBe(since)
      for (const [text] of lists[path] ?? []) await page.locator('.nothing').getByText(text).first().waitFor()
    })
    expect(found).toBe('')
  }, 180_000)

  it('says of each call that fails what to do, and keeps the rest of the page', async () => {
    const { page, address } = await opened()
    const idle = watchRequests(page)
    const asked: string[] = []
    let isFailing = (_: string) => false
    at.respond(({ path }) => {
      if (!asked.includes(path)) asked.push(path)
      return isFailing(path) ? unavailable(asked.indexOf(path)) : undefined
    })
    const load = async (path: string) => {
      // What the page before asks late is not of this one.
      await idle()
      await page.goto('about:blank')
      asked.splice(0)
      await page.goto(at.origin + address(path))
      await settled(page)
      await idle()
    }
    /** Says which calls the page names as failed, and that all of them come once they are tried again. */
    const failedAndRetried = async () => {
      const alert = page.locator('main [role=alert]')
      await alert.first().waitFor({ timeout: 15_000 })
      const said = await alert.allInnerTexts()
      for (const each of said) {
        for (const part of ['Not now.', 'SERVICE_UNAVAILABLE · 503 · Request failed-', 'What to do', 'curl'])
          expect(each).toContain(part)
      }
      isFailing = () => false
      const retry = alert.getByRole('button', { name: 'Try again' })
      // Another of the same call may come between the two counts.
      const without = async () => (await alert.count()) - (await retry.count())
      await expect.poll(without, { message: 'tries again' }).toBe(0)
      await retry.evaluateAll((all) => {
        for (const each of all) (each as HTMLElement).click()
      })
      await expect.poll(() => alert.count(), { message: 'what is left', timeout: 15_000 }).toBe(0)
      await idle()
      const ids = said.flatMap((each) => [...each.matchAll(/Request failed-(\d+)/g)])
      return ids.map(([, index]) => asked[Number(index)]!)
    }
    await load('cards')
    const ofFrame = asked.filter((call) => call !== 'cards')
    const found = await ofEach(all, async (path) => {
      // What the frame around the pages asks is missing there alone.
      const isOfPage = (call: string) => !ofFrame.includes(call) || path.startsWith(call)
      isFailing = isOfPage
      await load(path)
      const named = await failedAndRetried()
      // One that failed may stand in the place of another, or keep the page from asking it: that one fails alone.
      const hidden = asked.filter((call) => isOfPage(call) && !named.includes(call))
      const wrong = await ofEach(hidden, async (call) => {
        isFailing = (each) => each === call
        await load(path)
        expect(await failedAndRetried()).toContain(call)
      })
      if (wrong !== '') throw new Error(wrong)
    })
    expect(found).toBe('')
  }, 600_000)
})

const unavailable = (index: number) => {
  const requestId = `failed-${index}`
  return {
    status: 503,
    headers: { 'x-should-retry': 'false', 'x-request-id': requestId },
    json: { code: 'SERVICE_UNAVAILABLE', message: 'Not now.', status: 503, details: { requestId } },
  }
}

/** All that is wrong with any of them, so that one run tells it. */
async function ofEach(names: readonly string[], look: (name: string) => Promise<void>): Promise<string> {
  const found: string[] = []
  for (const name of names) {
    await look(name).catch((error: Error) => {
      found.push(`${name || 'home'}: ${error.message.split('\nCall log')[0]!.slice(0, 900)}`)
      process.stderr.write(`FOUND ${found.at(-1)}\n`)
    })
  }
  return found.join('\n')
}

/** Its title stands there, and nothing is waited for. */
async function settled(page: Page): Promise<void> {
  await page.locator('main:not(:has(.skeleton)) h1').first().waitFor({ timeout: 15_000 })
}

/** What no row has. */
function unmatched(filter: string): string {
  if (/currency/i.test(filter)) return 'XTS'
  if (/Amount/.test(filter)) return '100'
  if (/After|start/.test(filter)) return '2099-01-01T00:00:00.000Z'
  if (/Before|end/.test(filter)) return '1999-01-01T00:00:00.000Z'
  if (/customerId/.test(filter)) return 'Customer:00000000-0000-7000-8000-000000000000'
  return 'nothing-such'
}
