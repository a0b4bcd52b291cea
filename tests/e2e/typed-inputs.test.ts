import { effort } from '@corridor/testkit/effort.ts'
import { openTestServer } from '@corridor/testkit/index.ts'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Credentials, expectFailure, json, rawCaller } from './raw-calls.ts'

/** What people type and paste, and programs send, with the words that tell them what was wrong. */

const server = await openTestServer()
const call = rawCaller(() => server)
const as: Credentials = await server.platform()

async function problemOf(
  method: string,
  path: string,
  body: string | Buffer,
  headers: Record<string, string> = json,
) {
  const answer = await call(method, path, { as, headers, body })
  const details = answer.status < 400 ? {} : expectFailure(answer, 400, answer.json().code)
  const [first] = (details.errors ?? []) as { field: string; message: string }[]
  return { status: answer.status, field: first?.field, message: first?.message ?? details.reason }
}

const payee = (iban: string) =>
  JSON.stringify({
    currency: 'EUR',
    accountInfo: {
      accountType: 'EUR_ACCOUNT',
      iban,
      beneficiary: { beneficiaryType: 'INDIVIDUAL', fullName: 'Ada Ro' },
    },
  })

describe('an address for webhooks', () => {
  it.each([
    ['https://user:pw@example.com/hooks', 'must not contain a user name or password'],
    ['https://user@example.com/hooks', 'must not contain a user name or password'],
    ['localhost:8191/x', 'it must begin with http:// or https://'],
    ['example.com/hooks', 'it must begin with a scheme, such as https://'],
    ['//example.com/hooks', 'it must begin with a scheme, such as https://'],
    ['https://exa mple.com', 'it must begin with a scheme, such as https://, and contain no spaces'],
    ['ftp://example.com/hooks', 'it must begin with http:// or https://'],
  ])('%s is refused: %s', async (webhookEndpoint, words) => {
    const problem = await problemOf('PATCH', '/config', JSON.stringify({ webhookEndpoint }))
    expect(problem).toEqual({
      status: 400,
      field: 'webhookEndpoint',
      message: expect.stringContaining(words),
    })
  })
})

describe('a file', () => {
  const boundary = 'corridor-test'
  const headers = { 'content-type': `multipart/form-data; boundary=${boundary}` }
  const form = (parts: readonly [header: string, content: Buffer][]) =>
    Buffer.concat([
      ...parts.flatMap(([header, content]) => [
        Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; ${header}\r\n\r\n`),
        content,
        Buffer.from('\r\n'),
      ]),
      Buffer.from(`--${boundary}--\r\n`),
    ])
  const document = (file: [header: string, content: Buffer]) =>
    form([
      ['name="documentHolder"', Buffer.from('Customer:0198f2c4-7d1e-7a90-b6a1-2f3c4d5e6f70')],
      ['name="documentType"', Buffer.from('PASSPORT')],
      ['name="country"', Buffer.from('US')],
      file,
    ])

  it('without a file name is told to have one, whatever it contains', async () => {
    const contents = fc.oneof(fc.uint8Array({ minLength: 1, maxLength: 300 }), fc.constant([0, 1, 0xff]))
    await fc.assert(
      fc.asyncProperty(contents, async (bytes) => {
        const file = document(['name="file"', Buffer.from([...bytes])])
        expect(await problemOf('POST', '/documents', file, headers)).toEqual({
          status: 400,
          field: 'file',
          message: expect.stringContaining('give its part a file name'),
        })
      }),
      { numRuns: effort(20, 500) },
    )
    const csv = form([['name="file"', Buffer.from('a,b\n')]])
    expect((await problemOf('POST', '/customers/bulk/csv', csv, headers)).message).toContain(
      'give its part a file name',
    )
    const large = form([['name="file"', Buffer.alloc(20_000, 'a')]])
    expect((await problemOf('POST', '/customers/bulk/csv', large, headers)).message).toContain(
      'the field file is too long; a file needs a file name in its part',
    )
  })

  it.each(['text/csv', 'application/octet-stream', 'application/x-www-form-urlencoded'])(
    'sent as a body of type %s is told to come as a form',
    async (type) => {
      const problem = await problemOf('POST', '/customers/bulk/csv', 'a,b\n', { 'content-type': type })
      expect(problem.message).toContain('not multipart/form-data; send the file as a part of a form')
    },
  )
})

describe('a date', () => {
  it.each(['23/04/1990', '23.04.1990', '1990-4-23', '19900423', '1990-02-30', '1990-04-23T00:00:00Z'])(
    'written as %s is told its form',
    async (birthDate) => {
      const body = JSON.stringify({ customerType: 'INDIVIDUAL', region: 'US', birthDate })
      expect(await problemOf('POST', '/customers', body)).toEqual({
        status: 400,
        field: 'birthDate',
        message: 'is not a valid date: write YYYY-MM-DD, like 1990-04-23',
      })
    },
  )
})

describe('pasted texts', () => {
  it('are stored without invisible characters where they are codes', async () => {
    const answer = await call('POST', '/platform/external-accounts', {
      as,
      headers: json,
      body: payee('\u200bDE89\u00a03704\u20110044\u202f0532\u00ad0130 00\ufeff'),
    })
    expect(answer.json()).toMatchObject({ accountInfo: { iban: 'DE89370400440532013000' } })
  })

  it.each([
    ['\u202aDE89370400440532013000', 'contains the invisible character U+202A'],
    ['DE89\u0007', 'contains the control character U+0007'],
    ['DE89\u2066', 'contains the invisible character U+2066'],
  ])('name the character that no text may have: %j', async (iban, message) => {
    const problem = await problemOf('POST', '/platform/external-accounts', payee(iban))
    expect(problem).toEqual({ status: 400, field: 'accountInfo.iban', message })
  })

  it('in a query name the character too', async () => {
    const answer = await call('GET', '/tokens?name=a%07', { as })
    expect(expectFailure(answer, 400, 'INVALID_INPUT').errors).toMatchObject([
      { field: 'name', message: 'contains the control character U+0007' },
    ])
  })
})

const create = (email: string) =>
  call('POST', '/customers', {
    as,
    headers: json,
    body: JSON.stringify({ customerType: 'INDIVIDUAL', region: 'US', email }),
  })

describe('e-mail addresses', () => {
  it.each([
    'jörg@müller.example',
    'josé.garcía+pay@example.com',
    '用户@例子.example',
    'ana@xn--mller-kva.example',
    'иван@почта.example',
    "o'neil@example.com",
  ])('%s is accepted and stored as it is', async (email) => {
    expect((await create(email)).json()).toMatchObject({ email })
  })

  it.each(['jörg', 'jörg@', '@müller.example', 'a b@müller.example', 'jörg@müller', 'a@ﬁ.example'])(
    '%s is refused',
    async (email) => {
      expect(expectFailure(await create(email), 400, 'INVALID_INPUT').field).toBe('email')
    },
  )

  it('are refused with characters that are no letters, marks or digits, and with letters in disguise', async () => {
    const wrong = fc.constantFrom(
      ...['\u200b', '\u00a0', '\u00ad', '\u2060', '€', '🙂', 'ﬁ', '\u212a', 'Ａ', '”', '–', '＠'],
    )
    const place = fc.nat({ max: 19 })
    await fc.assert(
      fc.asyncProperty(wrong, place, async (character, at) => {
        const text = 'jörg@müller.example'
        const answer = await create(text.slice(0, at) + character + text.slice(at))
        expect(expectFailure(answer, 400, 'INVALID_INPUT').field).toBe('email')
      }),
      { numRuns: effort(30, 400) },
    )
  })
})

describe('one-time codes', () => {
  async function confirmed(typed: string) {
    const body = { customerType: 'INDIVIDUAL', region: 'DE', email: 'Lena@vogt.example' }
    const made = await call('POST', '/customers', { as, headers: json, body: JSON.stringify(body) })
    const path = `/customers/${made.json().id}/verify-email`
    await call('POST', path, { as, headers: json, body: '{}' })
    const answer = await call('POST', `${path}/confirm`, {
      as,
      headers: json,
      body: JSON.stringify({ code: typed }),
    })
    return answer.status
  }

  it.each(['123456', '123 456', '123-456', ' 123456 ', '123\u00a0456', '1 2 3 4 5 6', '\u200b123456'])(
    'typed as %j are right',
    async (typed) => {
      expect(await confirmed(typed)).toBe(200)
    },
  )

  it('are right with any separators that people type or paste', async () => {
    const separator = fc.constantFrom('', ' ', '-', '\u00a0', '\u2011', '\u202f', '\u200b')
    const separators = fc.array(separator, { minLength: 7, maxLength: 7 })
    await fc.assert(
      fc.asyncProperty(separators, async ([start = '', ...between]) => {
        const typed = start + [...'123456'].map((digit, index) => digit + between[index]).join('')
        expect(await confirmed(typed), JSON.stringify(typed)).toBe(200)
      }),
      { numRuns: effort(10, 300) },
    )
  })

  it.each(['123 457', '12345', '1234567', '12 34', '123.456'])('typed as %j are wrong', async (typed) => {
    expect(await confirmed(typed)).toBe(400)
  })
})
