import type { Page } from 'playwright-core'
import type { CheckedInstallation } from './installation.ts'
import { none, type Result } from './result.ts'
import { makeEndings } from './samples.ts'
import { desktop, goTo, phone, setTheme, settled, shoot, type Visitors } from './visitor.ts'

/** What no address shows by itself: endings of payments, what is opened over a page, forms that are open, other places. */

type Who = 'full' | 'many' | 'large' | 'empty' | 'production' | 'people' | 'operator'

interface Moment {
  readonly name: string
  readonly who: Who
  readonly path: string
  readonly act?: (page: Page) => Promise<unknown>
}

const press = (name: string | RegExp) => (page: Page) =>
  page
    .getByRole('button', { name, exact: typeof name === 'string' })
    .first()
    .click()

/** On a phone it is among the links of the menu. */
async function openView(page: Page): Promise<void> {
  const menu = page.getByRole('button', { name: 'Menu' })
  if (await menu.isVisible()) await menu.click()
  await page.getByRole('button', { name: 'View', exact: true }).filter({ visible: true }).click()
}

function momentsOf(
  endings: Readonly<Record<string, string>>,
  samples: CheckedInstallation['samples'],
): Moment[] {
  const payment = (id: string) => `payments/${encodeURIComponent(id)}`
  return [
    ...Object.entries(endings).map(([name, id]) => ({
      name: `payment-${name}`,
      who: 'full' as const,
      path: payment(id),
    })),
    { name: 'payments-endings', who: 'full', path: 'payments' },
    {
      name: 'payments-beside-failed',
      who: 'full',
      path: `payments?open=${encodeURIComponent(endings.failed!)}`,
    },
    { name: 'payments-many', who: 'many', path: 'payments' },
    { name: 'payments-large', who: 'large', path: 'payments' },
    { name: 'payments-filtered', who: 'full', path: 'payments?status=FAILED&type=OUTGOING' },
    { name: 'payments-filtered-empty', who: 'full', path: 'payments?status=EXPIRED&reference=nothing' },
    {
      name: 'payments-more-filters',
      who: 'full',
      path: 'payments',
      act: (page) => page.getByText('More filters').click(),
    },
    {
      name: 'payment-unknown',
      who: 'full',
      path: payment('Transaction:00000000-0000-0000-0000-000000000000'),
    },
    { name: 'no-such-page', who: 'full', path: 'nothing-here' },
    {
      name: 'search',
      who: 'full',
      path: '',
      act: async (page) => {
        await page.keyboard.press('Control+k')
        await page.getByRole('dialog').getByRole('combobox').fill('gre')
        await page.waitForTimeout(700)
      },
    },
    {
      name: 'search-empty',
      who: 'full',
      path: payment(endings.failed!),
      act: (page) => page.keyboard.press('Control+k'),
    },
    { name: 'view', who: 'full', path: '', act: openView },
    { name: 'keys', who: 'full', path: 'payments', act: (page) => page.keyboard.press('?') },
    { name: 'customers-new', who: 'full', path: 'customers', act: press('New customer') },
    { name: 'customers-import', who: 'full', path: 'customers', act: press('Import CSV') },
    {
      name: 'clock-moved',
      who: 'full',
      path: 'sandbox',
      act: async (page) => {
        await press('+1 minute')(page)
        await page.waitForTimeout(1_500)
      },
    },
    { name: 'requests-refused', who: 'full', path: 'requests?status=400' },
    { name: 'raw', who: 'full', path: payment(endings.failed!), act: press('Show the API response') },
    {
      name: 'hover',
      who: 'full',
      path: 'payments',
      act: (page) => page.locator('.rows tbody tr').nth(2).hover(),
    },
    {
      name: 'card-close',
      who: 'full',
      path: `cards/${encodeURIComponent(samples['/cards/$id']!)}`,
      act: press('Close'),
    },
    {
      name: 'quote-waits',
      who: 'empty',
      path: 'sandbox/scenarios',
      act: async (page) => {
        await press('The customer has to authorize it')(page)
        await page.waitForURL(/\/quotes\//)
        await settled(page)
      },
    },
    { name: 'production-home', who: 'production', path: '' },
    { name: 'production-customers', who: 'production', path: 'customers' },
    {
      name: 'production-token',
      who: 'production',
      path: 'settings',
      act: async (page) => {
        await page.getByLabel('Name of a new token').fill('ci')
        await press('Create')(page)
      },
    },
    { name: 'people-verifications', who: 'people', path: 'verifications' },
    { name: 'people-home', who: 'people', path: '' },
    { name: 'operator-pause', who: 'operator', path: 'rails' },
    { name: 'operator-platform-full', who: 'operator', path: `platforms/${samples['/platforms/$id']}` },
    { name: 'operator-no-such-page', who: 'operator', path: 'nothing-here' },
  ]
}

/** Each on a desktop and a phone, the first three looks of it that differ: light and dark, and light with little room. */
export async function moments(at: CheckedInstallation, visitors: Visitors, shots: string): Promise<Result> {
  const missing: string[] = []
  const all = momentsOf(await makeEndings(at.api(at.full)), at.samples)
  await signIn(visitors, shots).catch((error: Error) => missing.push(`sign-in: ${error.message}`))
  for (const [look, viewport, theme] of [
    ['light', desktop, 'light'],
    ['dark', desktop, 'dark'],
    ['phone', phone, 'light'],
    ['phone-dark', phone, 'dark'],
  ] as const) {
    for (const who of new Set(all.map((each) => each.who))) {
      const page = await visitors.openAs(who === 'operator' ? who : at[who], { viewport })
      page.setDefaultTimeout(5_000)
      await setTheme(page, theme)
      for (const { name, path, act } of all.filter((each) => each.who === who)) {
        try {
          await goTo(page, path)
          await act?.(page)
          await shoot(page, shots, `moment-${name}-${look}`)
        } catch (error) {
          missing.push(`${name}, ${look}: ${(error as Error).message.split('\n')[0]}`)
        }
        // Whatever was opened is gone with the document.
        if (act) await page.reload().then(() => settled(page))
      }
      await page.context().close()
    }
  }
  return none('0  moments without a picture', missing)
}

/** Who is refused at the door, and the door of operators. */
async function signIn(visitors: Visitors, shots: string): Promise<void> {
  for (const [look, viewport] of [
    ['desktop', desktop],
    ['phone', phone],
  ] as const) {
    const page = await visitors.open({ viewport })
    await page.getByLabel('Client id').fill('nobody')
    await page.getByLabel('Client secret').fill('nothing')
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByRole('alert').waitFor()
    await shoot(page, shots, `moment-sign-in-refused-${look}`)
    await page.reload()
    await page.getByRole('button', { name: 'With the key of an operator' }).click()
    await shoot(page, shots, `moment-sign-in-operator-${look}`)
    await page.context().close()
  }
}
