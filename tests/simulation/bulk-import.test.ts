import { buildServer } from '@corridor/testkit/built-server.ts'
import { must } from '@corridor/testkit/index.ts'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type Installation, prepareInstallation } from './installation.ts'

/**
 * An import in a real process, which is killed without warning in the middle of it. The full size takes
 * a minute or so: `CORRIDOR_TEST_IMPORT_ROWS=10000 npx vitest run tests/simulation/bulk-import.test.ts`.
 */
const rowCount = Number(process.env.CORRIDOR_TEST_IMPORT_ROWS ?? 1_000)
const serverUrl = process.env.CORRIDOR_TEST_DATABASE_URL

/** No request may wait for more than a few steps of an import, on a machine that has other things to do. */
const medianBoundMs = 250

const columns =
  'umaAddress,platformCustomerId,customerType,fullName,birthDate,addressLine1,city,state,postalCode,country'
const file = [
  columns,
  ...Array.from(
    { length: rowCount },
    (_, index) =>
      `$c${index}@import.example,c-${index},INDIVIDUAL,Pia Row ${index},1988-01-09,${index} Dock Ln,Reno,NV,89501,US`,
  ),
].join('\n')

describe.each([
  { database: 'embedded', url: undefined, isSkipped: false },
  { database: 'postgresql', url: serverUrl, isSkipped: !serverUrl },
])('an import on the $database database', ({ database, url, isSkipped }) => {
  let installation: Installation | undefined
  beforeAll(buildServer)
  afterEach(() => installation?.remove())

  it.skipIf(isSkipped)(
    'lets requests through, survives a kill, and brings no row twice',
    async () => {
      installation = await prepareInstallation(`import_${database}`, url)
      await installation.start()
      const { api, authorization } = installation.connect()
      const startedAt = performance.now()
      const jobId = await upload(installation, authorization)
      const read = async () => must(api.GET('/customers/bulk/jobs/{jobId}', { params: { path: { jobId } } }))

      const latenciesMs: number[] = []
      let before = 0
      for (let job = await read(); job.progress.processed < rowCount / 2; job = await read()) {
        expect(job.progress.processed).toBe(job.progress.successful)
        expect(job.progress.processed).toBeGreaterThanOrEqual(before)
        before = job.progress.processed
        const askedAt = performance.now()
        await must(api.GET('/customers', { params: { query: { limit: 20 } } }))
        await must(api.POST('/customers', { body: { customerType: 'INDIVIDUAL' } as never }))
        latenciesMs.push((performance.now() - askedAt) / 2)
      }
      await installation.kill()
      await installation.start()

      await expect
        .poll(async () => (await read()).status, { timeout: 100_000, interval: 200 })
        .toBe('COMPLETED')
      const totalMs = performance.now() - startedAt
      expect((await read()).progress).toEqual({
        total: rowCount,
        processed: rowCount,
        successful: rowCount,
        failed: 0,
      })
      const { totalCount } = await must(api.GET('/customers', { params: { query: { limit: 1 } } }))
      // The customers beside the import: some POST may have died with the process after its commit.
      expect(totalCount! - rowCount).toBeGreaterThanOrEqual(latenciesMs.length)
      expect(totalCount! - rowCount).toBeLessThanOrEqual(latenciesMs.length + 1)
      for (const index of [0, Math.floor(rowCount / 2), rowCount - 1]) {
        const query = { platformCustomerId: `c-${index}` }
        expect((await must(api.GET('/customers', { params: { query } }))).totalCount).toBe(1)
      }
      const medianMs = latenciesMs.sort((a, b) => a - b)[Math.floor(latenciesMs.length / 2)]!
      console.log(
        `${database}: ${rowCount} rows in ${Math.round(totalMs)} ms with a restart; requests meanwhile: median ${Math.round(medianMs)} ms, worst ${Math.round(latenciesMs.at(-1)!)} ms of ${latenciesMs.length}`,
      )
      expect(medianMs).toBeLessThan(medianBoundMs)
    },
    180_000,
  )
})

async function upload({ baseUrl }: Installation, authorization: string): Promise<string> {
  const form = new FormData()
  form.append('file', new Blob([file], { type: 'text/csv' }), 'customers.csv')
  const response = await fetch(`${baseUrl}/customers/bulk/csv`, {
    method: 'POST',
    headers: { authorization },
    body: form,
  })
  expect(response.status).toBe(202)
  return ((await response.json()) as { jobId: string }).jobId
}
