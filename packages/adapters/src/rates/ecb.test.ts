import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { crossRate, equivalentMinor, toSnapshot } from '@corridor/engine/reference/rates/index.ts'
import { divideRates, parseRate, silentLog } from '@corridor/kernel'
import { afterEach, describe, expect, it } from 'vitest'
import { type EcbOptions, ecbRates } from './ecb.ts'
import { parseDailyRates } from './ecb-file.ts'

const published = readFileSync(join(import.meta.dirname, 'fixtures/eurofxref-daily.xml'), 'utf8')
const source = 'https://rates.example/eurofxref-daily.xml'
const hourMs = 3_600_000

/** The published file as it would be on another day, with another rate of the dollar. */
function fileOf(date: string, dollar = '1.1568'): string {
  return published.replace('2025-10-10', date).replace("rate='1.1568'", `rate='${dollar}'`)
}

/** A World whose network is the next answer of a list; the last one repeats. */
function start(answers: readonly (string | number | Error)[], options: Partial<EcbOptions> = {}) {
  let now = Date.parse('2025-10-13T09:00:00Z')
  const requests: string[] = []
  const warnings: object[] = []
  const fetch = (async (url: string) => {
    const answer = answers[Math.min(requests.length, answers.length - 1)]!
    requests.push(url)
    if (answer instanceof Error) throw answer
    return typeof answer === 'number' ? new Response('', { status: answer }) : new Response(answer)
  }) as unknown as typeof globalThis.fetch
  const log = { ...silentLog, warn: (fields: object) => void warnings.push(fields) }
  const rates = ecbRates(
    { now: () => now, fetch, log },
    { source, fillsFromTable: false, maxAgeDays: 6, ...options },
  )
  return {
    requests,
    warnings,
    pass: (ms: number) => {
      now += ms
    },
    read: async () => (await rates.snapshot(now)).perUsd,
    snapshot: () => rates.snapshot(now),
  }
}

describe('the published file', () => {
  it('becomes exact fractions per dollar', () => {
    const { date, perUsd } = parseDailyRates(published)
    expect(date).toBe('2025-10-10')
    expect(Object.keys(perUsd)).toHaveLength(31)
    expect(perUsd.USD).toBe('1/1')
    expect(parseRate(perUsd.EUR!)).toEqual(divideRates(parseRate('1'), parseRate('1.1568')))
    expect(parseRate(perUsd.GBP!)).toEqual(divideRates(parseRate('0.86873'), parseRate('1.1568')))
  })

  it('crosses through the euro without losing anything', () => {
    const snapshot = toSnapshot({ updatedAt: 0, perUsd: parseDailyRates(published).perUsd })
    const cross = crossRate(snapshot, { source: 'EUR', destination: 'GBP' })
    expect(cross).toEqual(parseRate('0.86873'))
    const worth = { amountMinor: 1_000_000_00n, source: 'EUR', destination: 'USD' }
    expect(equivalentMinor(snapshot, worth)).toBe(1_156_800_00n)
  })

  it('may quote its attributes either way', () => {
    expect(parseDailyRates(published.replaceAll("'", '"'))).toEqual(parseDailyRates(published))
  })

  it.each<[string, (file: string) => string]>([
    ['nothing', () => ''],
    ['an error page', () => '<html><body>Service unavailable</body></html>'],
    ['half a file', (file) => file.slice(0, file.length / 2)],
    ['two days', (file) => file.replace('<Cube>', `<Cube><Cube time='2025-10-09'></Cube>`)],
    ['no dollar', (file) => file.replace(/.*'USD'.*\n/, '')],
    ['a rate twice', (file) => file.replace('</Cube>', "<Cube currency='GBP' rate='0.9'/></Cube>")],
    ['a rate of the euro', (file) => file.replace("'JPY'", "'EUR'")],
    ['a rate of zero', (file) => file.replace('176.29', '0.000')],
    ['a negative rate', (file) => file.replace('176.29', '-176.29')],
    ['an exponent', (file) => file.replace('176.29', '1.7e2')],
    ['a comma', (file) => file.replace('176.29', '176,29')],
    ['a day that does not exist', (file) => file.replace('2025-10-10', '2025-02-30')],
    ['a comment', (file) => file.replace('<Cube>', '<!-- x --><Cube>')],
    ['a document type', (file) => `<!DOCTYPE x [<!ENTITY a "1">]>${file}`],
    ['a megabyte', (file) => file + ' '.repeat(1_000_000)],
  ])('is refused with %s in it', (_what, spoil) => {
    expect(() => parseDailyRates(spoil(published))).toThrow(/^the /)
  })
})

describe('the rates of the European Central Bank', () => {
  it('are fetched once until the next working day is published', async () => {
    // 10 October 2025 was a Friday; the clock stands on the Monday after, 09:00 UTC.
    const ecb = start([fileOf('2025-10-10'), fileOf('2025-10-10'), fileOf('2025-10-13', '1.2')])
    const friday = await ecb.read()
    expect(friday.EUR).toBe('625/723')
    ecb.pass(5 * hourMs - 1)
    expect(await ecb.read()).toBe(friday)
    expect(ecb.requests).toEqual([source])
    ecb.pass(1)
    // Due, but not out yet: nobody waits, and it is asked for again a quarter of an hour later.
    expect(await ecb.read()).toBe(friday)
    await settled()
    expect(await ecb.read()).toBe(friday)
    expect(ecb.requests).toHaveLength(2)
    ecb.pass(15 * 60_000)
    await ecb.read()
    await settled()
    expect((await ecb.read()).EUR).toBe('5/6')
    ecb.pass(23 * hourMs)
    await ecb.read()
    expect(ecb.requests).toHaveLength(3)
  })

  it('are fetched once for callers that come at the same time', async () => {
    const ecb = start([published])
    const [one, two] = await Promise.all([ecb.read(), ecb.read()])
    expect(one).toBe(two)
    expect(ecb.requests).toHaveLength(1)
  })

  it('are stamped every five minutes like any other snapshot', async () => {
    const ecb = start([published])
    const first = await ecb.snapshot()
    ecb.pass(300_000)
    expect((await ecb.snapshot()).updatedAt).toBe(first.updatedAt + 300_000)
  })

  it.each([
    ['silence', new Error('connect ECONNREFUSED')],
    ['an error', 503],
    ['nonsense', '<html/>'],
    ['a table of a day to come', fileOf('2025-12-24')],
  ])('outlive %s, and say how old they are', async (_what, answer) => {
    const ecb = start([published, answer])
    const good = await ecb.read()
    ecb.pass(6 * hourMs)
    await ecb.read()
    await settled()
    expect(await ecb.read()).toBe(good)
    expect(ecb.requests).toHaveLength(2)
    expect(ecb.warnings).toEqual([{ reason: expect.any(String), date: '2025-10-10', ageHours: 72 }])
    ecb.pass(15 * 60_000)
    await ecb.read()
    expect(ecb.requests).toHaveLength(3)
  })

  it('are not replaced by older ones', async () => {
    const ecb = start([published, fileOf('2025-10-09', '9')])
    const good = await ecb.read()
    ecb.pass(6 * hourMs)
    await ecb.read()
    await settled()
    expect(ecb.requests).toHaveLength(2)
    expect(await ecb.read()).toBe(good)
  })

  it('price nothing when there are none, and try again soon', async () => {
    const ecb = start([503, published])
    expect(await ecb.read()).toEqual({})
    expect(await ecb.read()).toEqual({})
    expect(ecb.requests).toHaveLength(1)
    ecb.pass(30_000)
    expect((await ecb.read()).EUR).toBe('625/723')
  })

  it('price nothing when they are too old, and wait for what is newer', async () => {
    const ecb = start([published, 503, fileOf('2025-10-16', '1.2')])
    await ecb.read()
    // Published on Friday at 15:00 UTC at the latest: six days later is Thursday, 15:00.
    ecb.pass(3 * 24 * hourMs + 6 * hourMs)
    await ecb.read()
    await settled()
    expect((await ecb.read()).EUR).toBe('625/723')
    ecb.pass(1)
    expect(await ecb.read()).toEqual({})
    ecb.pass(15 * 60_000)
    expect((await ecb.read()).EUR).toBe('5/6')
  })

  it('are filled from the table of the software only where the operator says so', async () => {
    const strict = await start([published]).read()
    expect(strict).not.toHaveProperty('NGN')
    expect(strict).not.toHaveProperty('BTC')
    const filled = await start([published], { fillsFromTable: true }).read()
    expect(filled).toMatchObject({ NGN: '1450', BTC: '1/95000', EUR: strict.EUR })
  })
})

describe('rates in a file', () => {
  const directory = mkdtempSync(join(tmpdir(), 'corridor-ecb-'))
  afterEach(() => rmSync(directory, { recursive: true, force: true }))

  it('are read from its path without a network', async () => {
    const path = join(directory, 'rates.xml')
    writeFileSync(path, published)
    const ecb = start([new Error('no network')], { source: path })
    expect((await ecb.read()).EUR).toBe('625/723')
    expect(ecb.requests).toEqual([])
  })

  it('price nothing while it is missing', async () => {
    const ecb = start([new Error('no network')], { source: join(directory, 'nowhere.xml') })
    expect(await ecb.read()).toEqual({})
    expect(ecb.warnings).toHaveLength(1)
  })
})

/** Lets a refresh that nobody waits for come to its end. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await Promise.resolve()
}
