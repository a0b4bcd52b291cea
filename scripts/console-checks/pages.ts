import type { Page } from 'playwright-core'
import type { CheckedInstallation } from './installation.ts'
import { none, type Result } from './result.ts'
import {
  accessibilityOf,
  desktop,
  goTo,
  isWide,
  magnified,
  type Place,
  phone,
  placesOf,
  prefer,
  setTheme,
  shoot,
  type Visitors,
} from './visitor.ts'

/** What is asked of every page: its accessibility in each state, and that it fits where there is little room. */

const themes = ['light', 'dark'] as const

interface Walk {
  readonly of: string
  readonly page: Page
  readonly places: readonly Place[]
}

async function walksOf(
  at: CheckedInstallation,
  visitors: Visitors,
  options: Parameters<Visitors['open']>[0] = {},
): Promise<Walk[]> {
  const { platform, operator } = placesOf(at)
  return [
    { of: 'full', page: await visitors.openAs(at.full, options), places: platform },
    { of: 'operator', page: await visitors.openAs('operator', options), places: operator },
  ]
}

/** Light and dark, with everything, with nothing, and refused. */
export async function accessibility(
  at: CheckedInstallation,
  visitors: Visitors,
  shots: string | undefined,
): Promise<Result> {
  const found: string[] = []
  let pages = 0
  const lists = placesOf(at).platform.filter(({ path }) => !/[:%]/.test(path))
  const refusing = await visitors.openAs(at.empty)
  const refusal = {
    code: 'FORBIDDEN',
    message: 'It is not allowed.',
    status: 403,
    details: { requiredPermission: 'VIEW' },
  }
  await refusing.route('**/2025-10-13/**', (route) => route.fulfill({ status: 403, json: refusal }))
  const walks = [
    ...(await walksOf(at, visitors)),
    { of: 'empty', page: await visitors.openAs(at.empty), places: lists },
    { of: 'refused', page: refusing, places: lists },
  ]
  for (const theme of themes) {
    const signIn = await visitors.open()
    await signIn.evaluate(`localStorage.setItem('corridor.theme', '${theme}')`)
    await signIn.reload()
    await signIn.getByLabel('Client id').waitFor()
    await shoot(signIn, shots, `sign-in-${theme}`)
    found.push(...(await accessibilityOf(signIn, `sign in, ${theme}`)))
    await signIn.context().close()
    for (const { of, page, places } of walks) {
      await setTheme(page, theme)
      for (const { name, path } of places) {
        await goTo(page, path)
        await shoot(page, shots, `${of}-${name}-${theme}`)
        found.push(...(await accessibilityOf(page, `${name}, ${of}, ${theme}`)))
        pages++
      }
    }
  }
  await Promise.all(walks.map(({ page }) => page.context().close()))
  return none('6  findings of axe, light and dark, full, empty, refused', found, ` on ${pages} views`)
}

/** No page scrolls sideways, on a phone and at 400 %, and what matters in a bad hour is there. */
export async function littleRoom(
  at: CheckedInstallation,
  visitors: Visitors,
  shots: string | undefined,
): Promise<Result[]> {
  const results: Result[] = []
  for (const [name, options] of [
    ['a phone of 360×740', { viewport: phone }],
    ['400 %', { viewport: magnified, deviceScaleFactor: 2 }],
  ] as const) {
    const wide: string[] = []
    const hidden: string[] = []
    for (const { of, page, places } of await walksOf(at, visitors, options)) {
      for (const theme of options.viewport === phone ? themes : themes.slice(0, 1)) {
        await setTheme(page, theme)
        for (const place of places) {
          await goTo(page, place.path)
          await shoot(page, shots, `${name === '400 %' ? '400' : 'phone'}-${of}-${place.name}-${theme}`)
          if (await isWide(page)) wide.push(`${place.name}, ${of}`)
        }
      }
      hidden.push(...(await lacking(at, page, of)))
      await page.context().close()
    }
    results.push(none(`15 pages that scroll sideways at ${name}`, wide))
    results.push(none(`15 search, explain, pause, approve out of reach at ${name}`, hidden))
  }
  return [...results, await forced(at, visitors, shots), await still(at, visitors)]
}

/** Each is brought into view and could be pressed: nothing stands over it. */
async function lacking(at: CheckedInstallation, page: Page, of: string): Promise<string[]> {
  const found: string[] = []
  const reach = async (what: string, act: () => Promise<unknown>) => {
    await act().catch((error: Error) => found.push(`${what}: ${error.message.split('\n')[0]}`))
  }
  const timeout = 5_000
  if (of === 'operator') {
    await goTo(page, 'staff')
    await reach('approve', () =>
      page.getByRole('button', { name: 'Approve' }).first().click({ trial: true, timeout }),
    )
    return found
  }
  await reach('search', async () => {
    await page.getByRole('button', { name: /^Search/ }).click({ timeout })
    await page.getByRole('dialog').getByRole('combobox').fill('payments', { timeout })
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Payments' }).waitFor({ timeout })
  })
  await goTo(page, `payments/${encodeURIComponent(at.samples['/payments/$id']!)}`)
  await reach('explain', async () => {
    const rows = page.getByRole('region', { name: 'Derivation' }).getByRole('row')
    await rows.last().click({ trial: true, timeout })
  })
  await goTo(page, `agents/${encodeURIComponent(at.samples['/agents/$id']!)}`)
  await reach('pause', () => page.getByRole('button', { name: 'Pause' }).click({ trial: true, timeout }))
  return found
}

/** With the colours of the reader's system, a button still has an edge and focus can be seen. */
async function forced(
  at: CheckedInstallation,
  visitors: Visitors,
  shots: string | undefined,
): Promise<Result> {
  const page = await visitors.openAs(at.full, { forcedColors: 'active' })
  const found: string[] = []
  for (const { name, path } of placesOf(at).platform) {
    await goTo(page, path)
    await shoot(page, shots, `forced-${name}`)
    const lost =
      (await page.evaluate(`[...document.querySelectorAll('main button:not(:disabled), main .main')]
      .filter((each) => !each.closest('.palette') && !each.closest('.quiet') && !each.classList.contains('quiet'))
      .filter((each) => { const style = getComputedStyle(each); return style.borderTopStyle === 'none' || style.borderTopWidth === '0px' })
      .map((each) => each.textContent)`)) as string[]
    found.push(...lost.map((each) => `${name}: ${each} has no edge`))
    await page.keyboard.press('Tab')
    if (!(await hasVisibleFocus(page))) found.push(`${name}: focus is not visible`)
  }
  await page.context().close()
  return none('15 forced colours: what is lost', found)
}

async function still(at: CheckedInstallation, visitors: Visitors): Promise<Result> {
  const page = await visitors.openAs(at.full, { reducedMotion: 'reduce' })
  const found: string[] = []
  for (const { name, path } of placesOf(at).platform) {
    await goTo(page, path)
    const moving = (await page.evaluate('document.getAnimations().length')) as number
    if (moving > 0) found.push(`${name}: ${moving} animations`)
  }
  await page.context().close()
  return none('15 reduced motion: pages where something moves', found)
}

/** What stands for something, as against what something is: names of columns, fields and acts. */
const named = 'h2, h3, dt, th, legend, label > span, button, nav a, [role=status] p'
/** The same in every language. */
const fixed =
  /^(-2h, yesterday|100\.00 USD|curl|SDK|CLI|JSON|TypeScript|JavaScript|Python|UMA|KYC|KYB|SCA|[A-Z0-9_.]+|\W*)$/

/** In the made-up language every page fits, breaks nothing, and has all its names from the catalogue. */
export async function pseudo(
  at: CheckedInstallation,
  visitors: Visitors,
  shots: string | undefined,
): Promise<Result[]> {
  const wide: string[] = []
  const plain = new Set<string>()
  for (const viewport of [desktop, phone]) {
    for (const { of, page, places } of await walksOf(at, visitors, { viewport })) {
      await prefer(page, { language: 'en-XA' })
      for (const { name, path } of places) {
        await goTo(page, path)
        await shoot(page, shots, `pseudo-${of}-${name}-${viewport.width}`)
        if (await isWide(page)) wide.push(`${name}, ${of}, ${viewport.width} wide`)
        const texts = (await page
          .locator(named)
          .filter({ visible: true })
          .evaluateAll((all) =>
            all.flatMap((each) =>
              [...each.childNodes].filter(({ nodeType }) => nodeType === 3).map((text) => text.textContent),
            ),
          )) as string[]
        // What is said without being text.
        texts.push(
          ...((await page.evaluate(
            `[...document.querySelectorAll('[placeholder], [aria-label]')].flatMap((each) =>
              [each.getAttribute('placeholder'), each.getAttribute('aria-label')].filter(Boolean))`,
          )) as string[]),
        )
        for (const text of texts.map((each) => each.trim())) {
          if (/\p{L}{2}/u.test(text) && !/[⟦⟧·]/.test(text) && !fixed.test(text))
            plain.add(`${name}: ${text}`)
        }
      }
      await page.context().close()
    }
  }
  return [
    none('15 pages that scroll sideways in the made-up language', wide),
    none('16 names that are not from the catalogue', [...plain]),
  ]
}

/** Whether who uses the keys sees where they are: an outline of two pixels or more, on the screen. */
export async function hasVisibleFocus(page: Page): Promise<boolean> {
  return (await page.evaluate(`(() => {
    const at = document.activeElement
    // Behind the last link the keys leave the page for the browser's own buttons.
    if (!at || at === document.body) return true
    const { outlineStyle, outlineWidth } = getComputedStyle(at)
    const { top, bottom, left, right } = at.getBoundingClientRect()
    const isOnScreen = bottom > 0 && top < innerHeight && right > 0 && left < innerWidth
    return isOnScreen && outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2
  })()`)) as boolean
}
