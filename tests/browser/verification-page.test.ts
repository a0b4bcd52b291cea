import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { startTestServer, type TestServer } from '@corridor/testkit/index.ts'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { onboarding, owner, person, statusOf } from '../e2e/onboarding.ts'
import { desktop, openBrowser, phone, type TestBrowser } from './browser.ts'
import { describeInChromium } from './in-chromium.ts'

/** Where screenshots go, for people to look at; nowhere unless said. */
const gallery = process.env.CORRIDOR_SCREENSHOTS

describeInChromium('the verification page in a browser', (executable) => {
  let server: TestServer
  let browser: TestBrowser
  let origin: string
  let faults: string[]

  beforeAll(async () => {
    server = await startTestServer()
    origin = await server.listen()
    browser = await openBrowser(executable)
  })
  afterAll(async () => {
    await browser?.close()
    await server?.close()
  })
  beforeEach(() => {
    faults = []
  })

  const unregulated = async () => onboarding(server, await server.platform())

  /** A page on which nothing is blocked or broken without the test hearing of it. */
  async function open(url: string, size = desktop): Promise<Page> {
    const page = await browser.page(size)
    page.on('pageerror', (error) => faults.push(String(error)))
    page.on('console', (message) => {
      const isExpected = /status of (4\d\d)/.test(message.text())
      if (message.type() === 'error' && !isExpected) faults.push(message.text())
    })
    await page.goto(url)
    return page
  }

  async function linkFor(
    at: Awaited<ReturnType<typeof unregulated>>,
    customerId: string,
    redirectUri?: string,
  ) {
    const { data } = await at.api.POST('/customers/{customerId}/kyc-link', {
      params: { path: { customerId } },
      body: redirectUri ? { redirectUri } : {},
    })
    return data!.kycUrl.replace('http://corridor.test', origin)
  }

  async function shoot(page: Page, name: string): Promise<void> {
    const isWide = await page.evaluate('document.documentElement.scrollWidth > window.innerWidth')
    expect(isWide, `${name} scrolls sideways`).toBe(false)
    if (!gallery) return
    mkdirSync(gallery, { recursive: true })
    await page.screenshot({ path: join(gallery, `${name}.png`), fullPage: true })
  }

  /** A picture worth a preview: what the page itself looks like. */
  async function picture(page: Page, name = 'passport.png') {
    return { name, mimeType: 'image/png', buffer: await page.screenshot() }
  }

  async function fillDetails(page: Page): Promise<void> {
    await page.getByLabel('Date of birth').fill('1991-04-02')
    await page.getByLabel('Nationality').selectOption('US')
    await page.getByLabel('Street and number').fill('8 Quay Rd')
    await page.getByLabel('Postal code').fill('98402')
    await page.getByLabel('Country', { exact: true }).selectOption('US')
    await page.getByLabel('Type of number').selectOption('SSN')
  }

  async function fillDocument(page: Page): Promise<void> {
    await page.getByLabel('Type of document').selectOption('PASSPORT')
    await page.getByLabel('Country of issue').selectOption('US')
    await page.getByLabel('Document number').fill('X1')
    await page.getByLabel('Issuing authority').fill('State Dept')
    await page.getByLabel('File', { exact: true }).setInputFiles(await picture(page))
  }

  /** The next page is there, with its script, which comes after what is written on it. */
  async function expectHeading(page: Page, text: string): Promise<void> {
    await expect.poll(() => page.getByRole('heading', { level: 1 }).textContent()).toBe(text)
    await page.waitForLoadState()
  }

  it.each([
    ['desktop', desktop],
    ['phone', phone],
  ])('takes an individual from an empty form to an approval (%s)', async (name, size) => {
    const at = await unregulated()
    const { id } = await at.create({ customerType: 'INDIVIDUAL', fullName: 'Mira Okafor' })
    const url = await linkFor(at, id)
    const page = await open(url, size)
    await expectHeading(page, 'Your details')
    expect(await page.getByLabel('Full legal name').inputValue()).toBe('Mira Okafor')
    await shoot(page, `individual-1-details-${name}`)

    await fillDetails(page)
    await page.getByLabel('Number', { exact: true }).fill('12345')
    await page.getByRole('button', { name: 'Save and continue' }).click()
    const number = page.getByLabel('Number', { exact: true })
    await expect.poll(() => number.getAttribute('aria-invalid')).toBe('true')
    expect(await page.locator('#f-identifier-error').textContent()).toBe(
      'Number must have the form 123-45-6789',
    )
    // The script leads there.
    await page.locator('[role=alert]:focus').waitFor()
    expect(await page.getByLabel('Street and number').inputValue()).toBe('8 Quay Rd')
    await shoot(page, `individual-2-errors-${name}`)

    await page.getByRole('link', { name: 'Number must have' }).click()
    await number.fill('219-09-9999')
    await page.getByRole('button', { name: 'Save and continue' }).click()
    await expectHeading(page, 'Identity document')
    await shoot(page, `individual-3-document-${name}`)

    await page.getByLabel('File', { exact: true }).setInputFiles({
      name: 'notes.txt',
      mimeType: 'text/plain',
      buffer: Buffer.from('no document'),
    })
    expect(await page.locator('#f-file-error').textContent()).toBe('File is not a PDF, JPEG or PNG file')
    await fillDocument(page)
    // The browser decodes it in its own time.
    await page.getByAltText('Preview of the chosen file').waitFor({ state: 'visible' })
    await shoot(page, `individual-4-preview-${name}`)
    await page.getByRole('button', { name: 'Upload' }).click()
    await page.getByRole('heading', { name: 'Uploaded' }).waitFor()
    await shoot(page, `individual-5-uploaded-${name}`)
    await page.getByRole('link', { name: 'Continue' }).click()
    await expectHeading(page, 'Check and send')
    expect(await page.content()).not.toContain('219-09-9999')
    await shoot(page, `individual-6-review-${name}`)
    await page.getByRole('button', { name: 'Send for verification' }).click()
    await expectHeading(page, 'You are verified')
    await shoot(page, `individual-7-done-${name}`)
    expect(statusOf(await at.read(id))).toBe('APPROVED')
    expect(await at.types()).toEqual(['VERIFICATION.APPROVED', 'CUSTOMER.KYC_APPROVED'])

    expect((await page.goto(url))!.status()).toBe(410)
    await expectHeading(page, 'This link has been used')
    await shoot(page, `end-used-${name}`)
    expect(faults).toEqual([])
    await page.close()
  })

  it('asks for a better document as often as it takes', async () => {
    const at = await unregulated()
    const { id } = await at.completePerson('Mira Okafor 003')
    const page = await open(await linkFor(at, id))
    for (const round of [1, 2]) {
      await page.getByRole('button', { name: 'Send for verification' }).click()
      expect(await page.getByRole('alert').textContent()).toContain('We could not read your document')
      if (round === 1) await shoot(page, 'poor-document-desktop')
      await fillDocument(page)
      await page.getByRole('button', { name: 'Upload' }).click()
      await page.getByRole('link', { name: 'Continue' }).click()
    }
    expect(statusOf(await at.read(id))).toBe('UNVERIFIED')
    expect(await at.types()).toEqual(['VERIFICATION.RESOLVE_ERRORS', 'VERIFICATION.RESOLVE_ERRORS'])
    expect(faults).toEqual([])
    await page.close()
  })

  it.each([
    ['desktop', desktop],
    ['phone', phone],
  ])(
    'takes a business with its owners and documents, and goes back to the platform (%s)',
    async (name, size) => {
      const at = await unregulated()
      const { id } = await at.create({
        customerType: 'BUSINESS',
        region: 'US',
        businessInfo: {
          legalName: 'Larch Tools LLC',
          country: 'US',
          taxId: '12-3456789',
          incorporatedOn: '2016-09-30',
          registrationNumber: '77003',
        },
      })
      const back = `${origin.replace('127.0.0.1', 'localhost')}/healthz?from=shop`
      const page = await open(await linkFor(at, id, back), size)
      await expectHeading(page, 'The company')
      await page.getByLabel('Legal form').selectOption('LLC')
      await page.getByLabel('Industry').selectOption('MANUFACTURING')
      await page.getByLabel('Street and number').fill('1 Mill St')
      await page.getByLabel('Postal code').fill('83702')
      await page.getByLabel('Country', { exact: true }).selectOption('US')
      await page.getByLabel('Purpose of the account').selectOption('SUPPLIER_PAYMENTS')
      await page.getByLabel('Source of funds').fill('Tool sales')
      await page.getByLabel('Payments per month').selectOption('COUNT_10_TO_100')
      await page.getByLabel('Amount per month').selectOption('VOLUME_10K_TO_100K')
      await page.getByLabel('Search: countries you operate in').fill('united st')
      await page
        .getByRole('group', { name: 'Countries you operate in' })
        .getByLabel('United States')
        .first()
        .check()
      await page.getByLabel('Search: countries you will send payments to').fill('mex')
      await page
        .getByRole('group', { name: 'Countries you will send payments to' })
        .getByLabel('Mexico')
        .check()
      await shoot(page, `business-1-details-${name}`)
      await page.getByRole('button', { name: 'Save and continue' }).click()

      await expectHeading(page, 'People who own or control the company')
      await page.getByRole('button', { name: 'Add this person' }).click()
      expect(await page.getByRole('alert').textContent()).toContain('First name is required')
      await shoot(page, `business-2-owner-errors-${name}`)
      const { personalInfo } = owner('Falk', id)
      await page.getByLabel('First name').fill(personalInfo.firstName)
      await page.getByLabel('Last name').fill(personalInfo.lastName)
      await page.getByLabel('Date of birth').fill(personalInfo.birthDate)
      await page.getByLabel('Nationality').selectOption('DE')
      await page.getByLabel('Owner (25%').check()
      await page.getByLabel('Director', { exact: true }).check()
      await page.getByLabel('Ownership share in percent').fill('60')
      await page.getByLabel('Street and number').fill('4 Elm')
      await page.getByLabel('Postal code').fill('83702')
      await page.getByLabel('Country', { exact: true }).selectOption('US')
      await page.getByLabel('Type of number').selectOption('NON_US_TAX_ID')
      await page.getByLabel('Number', { exact: true }).fill('DE-1')
      await page.getByLabel('Issuing country').selectOption('DE')
      await page.getByRole('button', { name: 'Add this person' }).click()
      await page.getByText('Ines Falk').waitFor()
      await shoot(page, `business-3-owners-${name}`)
      await page.getByRole('link', { name: 'Continue' }).click()

      await expectHeading(page, 'Documents')
      expect(
        await page.getByText('Still needed from Ines Falk: a passport, and a driving licence').isVisible(),
      ).toBe(true)
      await shoot(page, `business-4-documents-${name}`)
      const uploads = [
        ['CERTIFICATE_OF_INCORPORATION', 'Larch Tools LLC'],
        ['TRUST_AGREEMENT', 'Larch Tools LLC'],
        ['UTILITY_BILL', 'Larch Tools LLC'],
        ['PASSPORT', 'Ines Falk'],
        ['NATIONAL_ID', 'Ines Falk'],
      ] as const
      for (const [index, [type, holder]] of uploads.entries()) {
        await page.getByLabel('Whose document').selectOption({ label: holder })
        await page.getByLabel('Type of document').selectOption(type)
        await page.getByLabel('File', { exact: true }).setInputFiles(await picture(page, `${type}.png`))
        await page.getByRole('button', { name: 'Upload' }).click()
        await page.getByRole('button', { name: 'Remove' }).nth(index).waitFor()
      }
      await shoot(page, `business-5-uploaded-${name}`)
      await page.getByRole('link', { name: 'Continue' }).click()
      await expectHeading(page, 'Check and send')
      await shoot(page, `business-6-review-${name}`)
      await page.getByRole('button', { name: 'Send for verification' }).click()
      await page.waitForURL('**/healthz?from=shop')
      expect(page.url()).toBe(back)
      expect(statusOf(await at.read(id))).toBe('UNVERIFIED')
      expect(await at.types()).toEqual(['VERIFICATION.PENDING_MANUAL_REVIEW'])
      expect(faults).toEqual([])
      await page.close()
    },
  )

  it('shows the ends of links: reviewed, expired, void and unknown', async () => {
    const at = await unregulated()
    const waiting = await at.completePerson('Mira Okafor 001')
    const page = await open(await linkFor(at, waiting.id), phone)
    await page.getByRole('button', { name: 'Send for verification' }).click()
    await expectHeading(page, 'Thank you, we have everything')
    await shoot(page, 'end-review-phone')

    const { id } = await at.create(person)
    const url = await linkFor(at, id)
    const other = await linkFor(at, (await at.create({ ...person, fullName: 'Gone Soon' })).id)
    await at.api.POST('/sandbox/clock/advance', { body: { seconds: 24 * 60 * 60 } })
    expect((await page.goto(url))!.status()).toBe(410)
    await expectHeading(page, 'This link has expired')
    await shoot(page, 'end-expired-phone')
    expect((await page.goto(other))!.status()).toBe(410)
    expect((await page.goto(`${origin}/verify/nothing`))!.status()).toBe(404)
    await expectHeading(page, 'Link not found')
    expect(faults).toEqual([])
    await page.close()
  })

  it('can be filled in with the keyboard alone, and without the script', async () => {
    const at = await unregulated()
    const { id } = await at.create({ ...person, fullName: 'Mira Okafor' })
    const page = await open(await linkFor(at, id))
    await expectHeading(page, 'Identity document')
    await page.keyboard.press('Tab')
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip to content')
    await page.route('**/verify.js', (route) => route.abort())
    await page.reload()
    await fillDocument(page)
    await page.getByLabel('File', { exact: true }).focus()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Uploaded' }).waitFor()
    await page.getByRole('button', { name: 'Remove' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Uploaded' }).waitFor({ state: 'detached' })
    expect(await page.getByLabel('Type of document').isVisible()).toBe(true)
    await page.close()
  })
})
