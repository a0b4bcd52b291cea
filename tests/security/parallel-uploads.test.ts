import { buildServer } from '@corridor/testkit/built-server.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type StartedServer, startServer } from './started-server.ts'

let server: StartedServer
beforeAll(async () => {
  buildServer()
  server = await startServer({ CORRIDOR_RATE_LIMITS: 'off' })
}, 240_000)
afterAll(() => server.stop())

const limitMb = 150
const uploads = 20
const megabytes = 20

/** A file of that size. None of its rows is a customer: what is measured is the uploads. */
const file = Buffer.alloc(megabytes * 1_000_000, `${'x'.repeat(999)}\n`)

function upload(bytes = file.length): Promise<Response> {
  const form = new FormData()
  form.append('file', new Blob([file.subarray(0, bytes)]), 'customers.csv')
  return fetch(`${server.base}/customers/bulk/csv`, {
    method: 'POST',
    headers: { authorization: server.authorization('acme') },
    body: form,
  })
}

it(`takes ${uploads} uploads of ${megabytes} MB at once in less than ${limitMb} MB above rest`, async () => {
  // The first one loads what all of them need.
  expect((await upload(1_000)).status).toBe(202)
  const rest = await server.probe('reset')
  const answers = await Promise.all(Array.from({ length: uploads }, () => upload()))
  expect(answers.map(({ status }) => status)).toEqual(Array(uploads).fill(202))
  const { highestRssMb } = await server.probe('read')
  console.info(
    `      ${(highestRssMb - rest.rssMb).toFixed(0)} MB above the ${rest.rssMb.toFixed(0)} MB of rest`,
  )
  expect(highestRssMb - rest.rssMb).toBeLessThan(limitMb)
  await server.expectAlive()
}, 300_000)
