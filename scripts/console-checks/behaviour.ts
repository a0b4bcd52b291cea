import { request } from 'node:http'
import type { Page } from 'playwright-core'
import { type CheckedInstallation, largeCurrencies, largestMinor, nameWithMarkup } from './installation.ts'
import { hasVisibleFocus } from './pages.ts'
import { none, type Result } from './result.ts'
import { desktop, goTo, phone, prefer, settled, type Visitors } from './visitor.ts'

/** What is asked of some pages: the keys, shared addresses, the policy, the cookie, the frame, the digits. */

/** From the form to an explained payment and an event sent again, without a pointer. */
export async function keyboardOnly(at: CheckedInstallation, visitors: Visitors): Promise<Result[]> {
  const page = await visitors.open()
  const unseen: string[] = []
  let presses = 0
  let doing = 'sign in'
  const press = async (key: string) => {
    presses++
    await page.keyboard.press(key)
  }
  /** As one key with Ctrl: nobody types a secret. */
  const paste = async (text: string) => {
    presses++
    await page.keyboard.insertText(text)
  }
  const tab = async () => {
    await press('Tab')
    if (!(await hasVisibleFocus(page))) {
      unseen.push(`${doing}: ${await page.evaluate('document.activeElement.outerHTML.slice(0, 120)')}`)
    }
  }
  const reach = async (selector: string) => {
    for (let n = 0; n < 60; n++) {
      if (await page.evaluate(`document.activeElement?.matches(${JSON.stringify(selector)})`)) return
      await tab()
    }
    throw new Error(`${doing}: ${selector} is not reached with the tab key`)
  }
  const heading = (name: string | RegExp) => page.getByRole('heading', { level: 1, name }).waitFor()
  const walked: string[] = []
  try {
    await page.getByLabel('Client id').waitFor()
    if (!(await page.getByLabel('Client id').evaluate((element) => element === document.activeElement))) {
      await tab()
    }
    await paste(at.full.clientId)
    await tab()
    await paste(at.full.clientSecret)
    await press('Enter')
    await heading('Home')
    walked.push('signed in')
    doing = 'pay'
    await press('g')
    await press('n')
    await page.getByRole('button', { name: 'Get a quote' }).waitFor()
    await reach('input[inputmode=decimal]')
    await press('9')
    await press('Enter')
    await page.getByRole('button', { name: /^Pay 9.00 USD/ }).waitFor()
    await reach('.acts .main')
    await press('Enter')
    await page.waitForURL(/payments\//)
    await page.locator('.story.ok').waitFor()
    await page.getByRole('region', { name: 'Derivation' }).getByRole('row').first().waitFor()
    walked.push('paid, followed, explained')
    doing = 'webhook'
    await press('g')
    await press('w')
    await heading('Webhooks')
    await page.locator('.rows tbody tr').first().waitFor()
    await press('j')
    await page.locator('.rows a:focus').waitFor()
    if (!(await hasVisibleFocus(page))) unseen.push('webhook: the row')
    await press('Enter')
    const attempts = page
      .locator('section.part')
      .filter({ has: page.getByRole('heading', { name: 'Attempts' }) })
      .locator('li')
    await attempts.first().waitFor()
    const before = await attempts.count()
    await reach('button.main')
    await press('Enter')
    await attempts.nth(before).waitFor()
    walked.push('sent again')
    doing = 'explain'
    await press('g')
    await press('p')
    await heading('Payments')
    await page.locator('.rows tbody tr').first().waitFor()
    await press('j')
    await page.locator('.rows a:focus').waitFor()
    await press('Enter')
    await page.getByRole('region', { name: 'Derivation' }).getByRole('row').first().waitFor()
    walked.push('explained')
  } catch (error) {
    unseen.push(`stopped after ${walked.join(', ')}: ${(error as Error).message.split('\n')[0]}`)
  }
  await page.context().close()
  return [
    {
      check: '7  key presses from the form to an explained payment',
      measured: `${presses}${walked.length < 4 ? ' (not finished)' : ''}`,
      target: '60',
      isReached: presses <= 60 && walked.length === 4,
    },
    none('7  places where focus is not seen', unseen),
  ]
}

/** What a view shows, without what is told in the words of a moment ago. */
const shown = (page: Page) => page.locator('main').innerText()

export async function sharedAddresses(at: CheckedInstallation, visitors: Visitors): Promise<Result> {
  const [one, other] = [await visitors.openAs(at.many), await visitors.openAs(at.many)]
  const different: string[] = []
  const views = ['payments?status=FAILED', 'payments?reference=REF-77', 'webhooks?status=FAILED', 'customers']
  for (const view of views) {
    await goTo(one, view)
    const text = await shown(one)
    await one.reload()
    await settled(one)
    if ((await shown(one)) !== text) different.push(`${view}: reloaded`)
    await other.goto(one.url())
    await settled(other)
    if ((await shown(other)) !== text) different.push(`${view}: in another browser`)
  }
  // Sorted and filtered, with one open beside the list: real payments, which tell of whom they are.
  const [opener, reader] = [await visitors.openAs(at.full), await visitors.openAs(at.full)]
  await goTo(opener, 'payments?status=COMPLETED&type=OUTGOING&sortOrder=asc')
  await opener.locator('.rows tbody tr[aria-rowindex="2"] td').last().click()
  await opener.waitForURL(/open=/)
  // With the names, which come after the payment.
  await opener.locator('.pane .story bdi').nth(1).waitFor()
  await settled(opener)
  const story = await opener.locator('.pane .story').innerText()
  await opener.reload()
  await reader.goto(opener.url())
  for (const page of [opener, reader]) {
    await page.locator('.pane .story bdi').nth(1).waitFor()
    await settled(page)
    const same = await page.locator('.pane .story').innerText()
    const current = await page.locator('.rows tr[aria-current]').count()
    if (same !== story || current !== 1) different.push('payments with one open')
  }
  // Chosen by hand, the filter stands in the address.
  await goTo(one, 'payments')
  await one.getByLabel('Status').selectOption('FAILED')
  await one.waitForURL(/status=FAILED/).catch(() => different.push('a chosen filter is not in the address'))
  await Promise.all([one, other, opener, reader].map((page) => page.context().close()))
  return none('9  views that differ after a reload or elsewhere', different, ` of ${views.length + 1}`)
}

export async function markup(at: CheckedInstallation, visitors: Visitors): Promise<Result> {
  const page = await visitors.openAs(at.full)
  await goTo(page, 'customers')
  const found: string[] = []
  if ((await page.getByText(nameWithMarkup).count()) === 0) found.push('the name is not shown as it is')
  if ((await page.locator('main img').count()) > 0) found.push('the name became a picture')
  if (await page.evaluate('globalThis.pwned === 1')) found.push('the name ran')
  await page.context().close()
  return none('12 names with markup that are more than text', found)
}

/** Below the API of browsers and of fetch, which leave no such headers to whoever calls them. */
function ask(url: string, method: string, headers: Record<string, string>): Promise<number> {
  return new Promise((resolve, reject) => {
    const asked = request(url, { method, headers }, (answer) => {
      answer.resume()
      resolve(answer.statusCode ?? 0)
    })
    asked.on('error', reject)
    asked.end(method === 'POST' ? '{"name":"x","permissions":["VIEW"]}' : undefined)
  })
}

export async function crossSite(at: CheckedInstallation, visitors: Visitors): Promise<Result[]> {
  const page = await visitors.openAs(at.full)
  const [session] = await page.context().cookies()
  const cookie = `${session!.name}=${session!.value}`
  await page.context().close()
  const own = `${at.origin}/console/api/${at.full.platformId}/sandbox/2025-10-13/tokens`
  const foreign = {
    cookie,
    origin: 'https://elsewhere.example',
    'sec-fetch-site': 'cross-site',
    'content-type': 'application/json',
  }
  const row = (what: string, status: number, target: number): Result => ({
    check: `13 ${what}`,
    measured: String(status),
    target: String(target),
    isReached: status === target,
  })
  return [
    row('form of another site with the cookie', await ask(own, 'POST', foreign), 403),
    row(
      'the same with the header of the console',
      await ask(own, 'POST', { ...foreign, 'x-corridor-console': '1' }),
      403,
    ),
    row('the cookie at the public API', await ask(`${at.origin}/2025-10-13/tokens`, 'GET', { cookie }), 401),
  ]
}

/** Any part of the edge of a screen, without colour, also where the reader's system has colours of its own: hatched in the sandbox, of one tone in production. */
export async function frame(at: CheckedInstallation, visitors: Visitors): Promise<Result> {
  const found: string[] = []
  const { width, height } = desktop
  const part = { width: 400, height: 300 }
  const across = [0, 300, width - part.width]
  const down = [0, 200, height - part.height]
  const spots = across.flatMap((x) => down.map((y) => ({ x, y })))
  const edges = spots.filter(
    ({ x, y }) => x === 0 || y === 0 || x === width - part.width || y === height - part.height,
  )
  const paper = await visitors.browser.newPage()
  for (const [name, who] of [
    ['sandbox', at.full],
    ['production', at.production],
  ] as const) {
    for (const theme of ['light', 'dark', 'forced'] as const) {
      const isForced = theme === 'forced'
      const page = await visitors.openAs(who, isForced ? { forcedColors: 'active' } : {})
      if (!isForced) await prefer(page, { theme })
      await goTo(page, 'settings')
      await page.evaluate('scrollTo(0, 100)')
      for (const { x, y } of edges) {
        const picture = await page.screenshot({ clip: { x, y, ...part } })
        // Three pixels in from the edge of the screen, along the side that this part has of it.
        const line =
          x === 0
            ? { x: 3, y: 0, w: 1, h: part.height }
            : x === width - part.width
              ? { x: part.width - 4, y: 0, w: 1, h: part.height }
              : { x: 0, y: y === 0 ? 3 : part.height - 4, w: part.width, h: 1 }
        const changes = (await paper.evaluate(`(async () => {
          const picture = new Image()
          picture.src = 'data:image/png;base64,${picture.toString('base64')}'
          await picture.decode()
          const canvas = new OffscreenCanvas(picture.width, picture.height).getContext('2d')
          canvas.drawImage(picture, 0, 0)
          const { data } = canvas.getImageData(${line.x}, ${line.y}, ${line.w}, ${line.h})
          const grey = []
          for (let n = 0; n < data.length; n += 4) grey.push(0.299 * data[n] + 0.587 * data[n + 1] + 0.114 * data[n + 2])
          const middle = (Math.min(...grey) + Math.max(...grey)) / 2
          if (Math.max(...grey) - Math.min(...grey) < 20) return 0
          return grey.filter((each, n) => n > 0 && each > middle !== grey[n - 1] > middle).length
        })()`)) as number
        const isHatched = changes >= 20
        if (isHatched !== (name === 'sandbox')) {
          found.push(`${name}, ${theme}, at ${x},${y}: ${changes} changes of tone`)
        }
      }
      await page.context().close()
    }
  }
  await paper.close()
  return none(
    '14 parts of the edge that do not tell the environment, in grey',
    found,
    ` of ${edges.length * 6}`,
  )
}

const decimalsOf = { VND: 0, BTC: 8, USD: 2 }

/** `90,000,000.00000000 BTC`, or as somebody has chosen. */
function written(currency: (typeof largeCurrencies)[number], amounts: string): string {
  const [group, point] = amounts === 'de' ? ['.', ','] : [',', '.']
  const decimals = decimalsOf[currency]
  const digits = String(largestMinor)
  const whole = digits.slice(0, digits.length - decimals).replace(/\B(?=(\d{3})+$)/g, group)
  return `${whole}${decimals > 0 ? `${point}${digits.slice(-decimals)}` : ''} ${currency}`
}

/** All digits, none cut, right aligned, with the code, whatever the reader's browser, and whatever they have chosen. */
export async function digits(at: CheckedInstallation, visitors: Visitors): Promise<Result> {
  const found: string[] = []
  for (const [locale, viewport, language, amounts] of [
    ['en', desktop, 'en', 'en'],
    ['de', desktop, 'en', 'en'],
    ['ar', desktop, 'en', 'en'],
    ['en', desktop, 'en', 'de'],
    ['en', desktop, 'en-XA', 'en'],
    ['en', phone, 'en', 'en'],
    ['en', phone, 'en-XA', 'de'],
  ] as const) {
    const page = await visitors.openAs(at.large, { locale, viewport })
    await prefer(page, { language, amounts })
    await goTo(page, 'payments')
    const cells = (await page
      .locator('.rows tbody :is(td.amount, td.rest .whole)')
      .filter({ visible: true })
      .evaluateAll((all) =>
        all.map((amount) => {
          const text = document.createRange()
          text.selectNodeContents(amount)
          const cell = amount.closest('td')!
          const [of, inside] = [cell.getBoundingClientRect(), text.getBoundingClientRect()]
          // On a phone one that finds no room is not there at all, as browsers leave out blocks as a whole.
          const isLeftOut = amount !== cell && getComputedStyle(amount).display === 'inline-block'
          return {
            text: amount.textContent,
            isCut: !isLeftOut && (inside.left < of.left - 0.5 || inside.right > of.right + 0.5),
            isRight: amount !== cell || of.right - inside.right < 12,
          }
        }),
      )) as { text: string; isCut: boolean; isRight: boolean }[]
    const where = `${locale}, in ${language}, amounts as ${amounts}, ${viewport.width} wide`
    for (const currency of largeCurrencies) {
      const wanted = written(currency, amounts)
      if (!cells.some(({ text }) => text === wanted)) found.push(`${where}: no ${wanted}`)
    }
    for (const { text, isCut, isRight } of cells) {
      if (isCut) found.push(`${where}: ${text} is cut`)
      if (!isRight) found.push(`${where}: ${text} is not right aligned`)
    }
    await page.context().close()
  }
  return none('16 amounts that are not exact, whole, right aligned', found)
}
