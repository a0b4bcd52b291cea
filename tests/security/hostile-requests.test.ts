import { connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { buildServer } from '@corridor/testkit/built-server.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type StartedServer, startServer } from './started-server.ts'

/**
 * What once stopped or froze a server, against a started one: the process lives on, the event loop does not
 * stand still for longer than `pauseLimitMs`, and the answer is one of the error model.
 */

const pauseLimitMs = 100

let server: StartedServer
/** Leads to the hosted page of a customer. */
let link: string
beforeAll(async () => {
  buildServer()
  server = await startServer({ CORRIDOR_RATE_LIMITS: 'off' })
  const customer = await call('POST', '/customers', {
    customerType: 'INDIVIDUAL',
    fullName: 'Ana Lopez',
    currencies: ['USD'],
  })
  const { kycUrl } = (await (
    await call('POST', `/customers/${(await customer.json()).id}/kyc-link`, {})
  ).json()) as {
    kycUrl: string
  }
  link = kycUrl
  // The first request of an operation compiles its schemas, which is not what is measured here.
  for (const path of ['/tokens', '/platform/external-accounts']) await call('POST', path, {})
}, 240_000)
afterAll(() => server.stop())

function call(method: string, path: string, body?: unknown): Promise<Response> {
  return fetch(server.base + path, {
    method,
    headers: { authorization: server.authorization('acme'), 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
}

const boundary = 'b'
const multipart = { 'content-type': `multipart/form-data; boundary=${boundary}` }
const part = (name: string, more: string, content: string) =>
  `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${content}`

/** Sends these bytes on a connection of their own; resolves with what comes back until it is closed or quiet. */
function raw(text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(server.origin)
    const socket = connect(Number(port), hostname)
    let answer = ''
    socket.on('data', (chunk) => {
      answer += chunk
      if (/\r\n\r\n[\s\S]*\}$/.test(answer) || answer.includes('</html>')) socket.end()
    })
    socket.on('close', () => resolve(answer))
    socket.on('error', reject)
    socket.setTimeout(10_000, () => socket.destroy())
    socket.write(text)
  })
}

/** Fails if what `attack` sends holds the event loop up, or ends the process. */
async function bearably<T>(attack: () => Promise<T>): Promise<T> {
  await server.expectAlive()
  await server.probe('reset')
  const result = await attack()
  const { pauseMs, wallPauseMs } = await server.probe('read')
  console.info(`      paused ${pauseMs.toFixed(1)} ms (${wallPauseMs.toFixed(1)} ms on the wall)`)
  await server.expectAlive()
  expect(pauseMs).toBeLessThan(pauseLimitMs)
  return result
}

async function expectFailure(answer: Response, status: number, code: string) {
  const body = (await answer.json()) as Record<string, unknown>
  expect([answer.status, body.status, body.code]).toEqual([status, status, code])
  expect(body.details).toEqual(expect.any(Object))
  return body.details as { errors?: { field: string }[]; reason?: string }
}

describe('a form', () => {
  const cutShort = part('file', '; filename="a.csv"', 'abc')
  const uploadCsv = (body: string | Buffer<ArrayBuffer>) =>
    fetch(`${server.base}/customers/bulk/csv`, {
      method: 'POST',
      headers: { authorization: server.authorization('acme'), ...multipart },
      body,
    })

  it('that ends within a part ends no process: hosted page with and without a link, upload', async () => {
    await bearably(async () => {
      const nobodys = `${server.origin}/verify/x/complete`
      for (const url of [nobodys, `${link}/complete`, `${link}/documents`]) {
        const answer = await fetch(url, { method: 'POST', headers: multipart, body: cutShort })
        expect([400, 404]).toContain(answer.status)
      }
      await expectFailure(await uploadCsv(cutShort), 400, 'INVALID_REQUEST_FORMAT')
      await expectFailure(await uploadCsv(part('file', '', 'abc')), 400, 'INVALID_REQUEST_FORMAT')
    })
  })

  it('whose sender goes away in the middle is forgotten', async () => {
    await bearably(async () => {
      const { hostname, port } = new URL(server.origin)
      const socket = connect(Number(port), hostname)
      const { pathname } = new URL(`${link}/documents`)
      const head = `POST ${pathname} HTTP/1.1\r\nHost: x\r\nContent-Type: ${multipart['content-type']}\r\n`
      socket.write(
        `${head}Content-Length: 1000000\r\n\r\n${part('file', '; filename="a"', 'x'.repeat(200_000))}`,
      )
      await pause(100)
      socket.destroy()
      await pause(100)
    })
  })

  it('of boundaries alone is read by nobody without a link, and not to its end by anybody', async () => {
    const body = Buffer.alloc(10_000_000, `--${boundary}\r\n`)
    await bearably(async () => {
      const url = `${server.origin}/verify/x/complete`
      const answers = await Promise.all(
        Array.from({ length: 4 }, () => fetch(url, { method: 'POST', headers: multipart, body })),
      )
      expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404])
    })
    await bearably(async () => {
      const answer = await fetch(`${link}/complete`, { method: 'POST', headers: multipart, body })
      await expectFailure(answer, 400, 'INVALID_REQUEST_FORMAT')
    })
    await bearably(async () => expectFailure(await uploadCsv(body), 400, 'INVALID_REQUEST_FORMAT'))
  })

  it.each([
    ['empty parts', part('a', '', '\r\n')],
    ['empty files', part('a', '; filename="a"', '\r\n')],
    ['headers without an end', `--${boundary}\r\n${'X-A: b\r\n'.repeat(100)}`],
  ])('of very many %s is refused early', async (_name, each) => {
    const body = Buffer.alloc(10_000_000, each)
    await bearably(async () => {
      const answer = await fetch(`${link}/documents`, { method: 'POST', headers: multipart, body })
      await expectFailure(answer, 400, 'INVALID_REQUEST_FORMAT')
    })
  })

  it('of very many urlencoded fields is not parsed', async () => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    for (const body of [Buffer.alloc(20_000_000, 'a=b&'), Buffer.alloc(60_000, 'a&')]) {
      await bearably(async () => {
        const send = (url: string) => fetch(url, { method: 'POST', headers, body })
        const answers = await Promise.all([
          ...Array.from({ length: 4 }, () => send(`${server.origin}/verify/x/details`)),
          send(`${link}/details`),
        ])
        const told = answers.map(({ status }) => status)
        expect(told.slice(0, 4)).toEqual([404, 404, 404, 404])
        expect(told[4]).toBe(body.length > 1_000_000 ? 413 : 400)
      })
    }
  })
})

describe('a path', () => {
  it.each([
    ['slashes', '/'.repeat(15_700)],
    ['slashes and a letter', `${'/'.repeat(15_700)}x`],
    ['parts', '/a'.repeat(7_800)],
    ['escapes', `/${'%2F'.repeat(5_000)}`],
    ['broken escapes', `/${'%'.repeat(15_000)}`],
    ['parts below the version', `/2025-10-13${'/a'.repeat(7_500)}`],
  ])('of thousands of %s is answered like any other that nobody knows', async (_name, path) => {
    const answer = await bearably(() => raw(`GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`))
    expect(answer).toMatch(/^HTTP\/1\.1 (200|400|404|413) /)
  })

  const tokens = (target: string, ...headers: string[]) => {
    const all = [`Authorization: ${server.authorization('acme')}`, 'Connection: close', ...headers]
    return raw(`${target} HTTP/1.1\r\n${all.join('\r\n')}\r\n\r\n`)
  }
  const path = 'GET /2025-10-13/tokens'
  const newToken = 'POST /2025-10-13/tokens'

  it('with one Host is answered, in either form of the request target', async () => {
    expect(await tokens(path, 'Host: corridor.example')).toMatch(/^HTTP\/1\.1 200 /)
    const absolute = 'GET http://Corridor.example:80/2025-10-13/tokens'
    expect(await tokens(absolute, 'Host: corridor.example')).toMatch(/^HTTP\/1\.1 200 /)
  })

  it.each([
    ['two Host headers', path, ['Host: x', 'Host: y']],
    ['two Host headers that agree', path, ['Host: x', 'host: x']],
    ['a Host of two addresses', path, ['Host: x, y']],
    ['no Host', path, []],
    ['another host in the target', 'GET http://y/2025-10-13/tokens', ['Host: x']],
    ['a user in the target', 'GET http://x@y/2025-10-13/tokens', ['Host: x']],
    ['another host in the target of the console', 'GET http://y/console/', ['Host: x']],
    ['two lengths', newToken, ['Host: x', 'Content-Length: 2', 'Content-Length: 3']],
    ['two lengths in one header', newToken, ['Host: x', 'Content-Length: 2, 3']],
    ['a length and chunks', newToken, ['Host: x', 'Content-Length: 2', 'Transfer-Encoding: chunked']],
    ['an unknown coding', newToken, ['Host: x', 'Transfer-Encoding: gzip, identity']],
  ])('with %s is refused: a proxy may have read another request', async (_name, target, headers) => {
    expect(await tokens(target, ...headers)).toMatch(/^HTTP\/1\.1 400 [\s\S]*"code":"INVALID_REQUEST_FORMAT"/)
  })

  it.each([
    ['a missing Host', 'GET /2025-10-13/tokens HTTP/1.1\r\nConnection: close\r\n\r\n'],
    [
      'a bogus Expect',
      'GET /2025-10-13/tokens HTTP/1.1\r\nHost: x\r\nExpect: the-unexpected\r\nConnection: close\r\n\r\n',
    ],
  ])('with %s is answered in the error model', async (_name, text) => {
    const answer = await raw(text)
    expect(answer).toMatch(/^HTTP\/1\.1 400 /)
    expect(answer).toContain('"code":"INVALID_REQUEST_FORMAT"')
    expect(answer.toLowerCase()).toContain('content-type: application/json')
  })
})

describe('a connection', () => {
  it('with more pipelined requests than may wait answers those before, in order, and ends', async () => {
    const { hostname, port } = new URL(server.origin)
    const socket = connect(Number(port), hostname)
    const requests = Array.from({ length: 40 }, (_, index) => `GET /${index} HTTP/1.1\r\nHost: x\r\n\r\n`)
    socket.write(requests.join(''))
    let answers = ''
    for await (const chunk of socket) answers += chunk
    const answered = [...answers.matchAll(/"id":"\/(\d+)"/g)].map(([, index]) => Number(index))
    expect(answered).toEqual(Array.from({ length: 17 }, (_, index) => index))
  })
})

describe('a body', () => {
  it('with 400,000 wrong values of an enum names the first hundred errors at most', async () => {
    const permissions = (count: number) => `{"name":"x","permissions":[${'0,'.repeat(count - 1)}0]}`
    const many = await bearably(() => call('POST', '/tokens', permissions(400_000)))
    await expectFailure(many, 400, 'INVALID_REQUEST_FORMAT')
    const fewer = await bearably(() => call('POST', '/tokens', permissions(19_000)))
    await expectFailure(fewer, 400, 'INVALID_INPUT')
    const allowed = await bearably(() => call('POST', '/tokens', permissions(1_000)))
    const { errors } = await expectFailure(allowed, 400, 'INVALID_INPUT')
    expect(errors).toHaveLength(100)
  })

  it.each([
    ['brackets', '['.repeat(1_000_000)],
    ['objects', `{"a":[${'{},'.repeat(330_000)}{}]}`],
    ['commas', `{${','.repeat(1_000_000)}`],
    ['quotes', '"'.repeat(1_000_001)],
    ['backslashes', `{"a":"${'\\'.repeat(1_000_000)}`],
    ['blanks', ' '.repeat(1_048_000)],
  ])('of a million %s is refused', async (_name, body) => {
    const answer = await bearably(() => call('POST', '/tokens', body))
    await expectFailure(answer, 400, 'INVALID_REQUEST_FORMAT')
  })

  it('with a Pix key of 60,000 dots is refused for its length', async () => {
    const body = (pixKey: string, pixKeyType = 'EMAIL') => ({
      currency: 'BRL',
      accountInfo: {
        accountType: 'BRL_ACCOUNT',
        pixKey,
        pixKeyType,
        taxId: '12345678909',
        beneficiary: { beneficiaryType: 'INDIVIDUAL', fullName: 'Greta Lindholm' },
      },
    })
    for (const key of [`a@${'.'.repeat(60_000)}`, '.'.repeat(60_000), `${'@'.repeat(60_000)}`]) {
      const answer = await bearably(() => call('POST', '/platform/external-accounts', body(key)))
      const { errors } = await expectFailure(answer, 400, 'INVALID_INPUT')
      expect(errors?.map(({ field }) => field)).toContain('accountInfo.pixKey')
    }
    // Nothing is left of these once their punctuation is gone.
    for (const key of ['-', '..-', ' ', '.']) {
      for (const type of ['CPF', 'CNPJ', 'PHONE', 'EMAIL', 'RANDOM']) {
        const answer = await call('POST', '/platform/external-accounts', body(key, type))
        await expectFailure(answer, 400, 'INVALID_INPUT')
      }
    }
  })

  it.each([
    ['text', 'nothing'],
    ['a list', []],
    ['a number', 5],
    ['nothing', null],
  ])('of an external account whose accountInfo is %s is refused', async (_name, accountInfo) => {
    for (const path of ['/platform/external-accounts', '/customers/external-accounts']) {
      await expectFailure(await call('POST', path, { currency: 'USD', accountInfo }), 400, 'INVALID_INPUT')
    }
  })

  it('of a hosted submission is counted before it is parsed', async () => {
    const body = `{"documents":[${'{},'.repeat(3_000_000)}{}]}`
    const answer = await bearably(() =>
      fetch(`${link}/complete`, { method: 'POST', headers: { 'content-type': 'application/json' }, body }),
    )
    await expectFailure(answer, 400, 'INVALID_REQUEST_FORMAT')
  })
})

describe('a number', () => {
  it('that no currency could hold is refused where rates are asked for', async () => {
    for (const amount of ['99999999999999', '8999999999999999', '9'.repeat(400)]) {
      for (const side of ['sendingAmount', 'receivingAmount']) {
        await expectFailure(await call('GET', `/exchange-rates?${side}=${amount}`), 400, 'INVALID_INPUT')
      }
    }
  })
})

describe('a CSV file', () => {
  async function importOf(text: string) {
    const form = new FormData()
    form.append('file', new Blob([text], { type: 'text/csv' }), 'customers.csv')
    const answer = await fetch(`${server.base}/customers/bulk/csv`, {
      method: 'POST',
      headers: { authorization: server.authorization('acme') },
      body: form,
    })
    expect(answer.status).toBe(202)
    const { jobId } = (await answer.json()) as { jobId: string }
    for (;;) {
      const job = (await (await call('GET', `/customers/bulk/jobs/${jobId}`)).json()) as {
        status: string
        errors: unknown[]
      }
      if (['COMPLETED', 'FAILED'].includes(job.status)) return job
      await pause(50)
    }
  }

  it.each([
    [
      '200,000 columns',
      `${Array.from({ length: 200_000 }, (_, index) => `column${index}`).join(',')}\na,b\n`,
    ],
    ['200,000 columns of one name', `${'a,'.repeat(200_000)}\na,b\n`],
    ['a quote that never ends', `umaAddress,"${'x'.repeat(5_000_000)}`],
    ['two million lines of one letter', 'a\n'.repeat(2_000_000)],
    ['quotes alone', '"'.repeat(2_000_000)],
  ])(
    'of %s fails, and other requests are served meanwhile',
    async (_name, text) => {
      const job = await bearably(() => importOf(text))
      expect(job).toMatchObject({ status: 'FAILED', errors: [{ code: 'INVALID_INPUT' }] })
    },
    120_000,
  )
})
