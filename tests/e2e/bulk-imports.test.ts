import { openTestServer, type TestServer } from '@corridor/testkit/index.ts'
import { describe, expect, it, test } from 'vitest'
import { columns, header, importApi, row } from './bulk-import-api.ts'
import { refusal } from './customer-api.ts'

const server = await openTestServer()

const start = (options?: Parameters<TestServer['platform']>[0]) => importApi(server, options)

describe('an import', () => {
  it('makes customers of the good rows and tells what is wrong with the bad ones', async () => {
    const { upload, read, list, accounts, events } = await start()
    const { response, body } = await upload(
      [
        header,
        '$pia.row@shop.example,row-1,INDIVIDUAL,Pia Row,1988-01-09,2 Dock Ln,Reno,NV,89501,US,',
        '$bad@shop.example,row-2,INDIVIDUAL,Bad Date,1988-13-40,3 Dock Ln,Reno,NV,89501,US,',
      ].join('\n'),
    )
    expect(response.status).toBe(202)
    expect(body).toEqual({ jobId: expect.stringMatching(/^Job:/), status: 'PENDING' })
    const id = String(body.jobId)
    expect((await read(id)).data).toEqual({
      id,
      status: 'PENDING',
      progress: { total: 0, processed: 0, successful: 0, failed: 0 },
      errors: [],
    })
    await server.settle()
    const { data } = await read(id)
    expect(data).toEqual({
      id,
      status: 'COMPLETED',
      progress: { total: 2, processed: 2, successful: 1, failed: 1 },
      errors: [
        {
          correlationId: 'row-2',
          code: 'INVALID_INPUT',
          message: expect.any(String),
          details: {
            errors: [expect.objectContaining({ field: 'birthDate' })],
            field: 'birthDate',
          },
        },
      ],
      completedAt: expect.any(String),
    })
    const { data: customers } = await list()
    expect(customers!.data).toMatchObject([
      {
        platformCustomerId: 'row-1',
        umaAddress: '$pia.row@shop.example',
        kycStatus: 'UNVERIFIED',
        fullName: 'Pia Row',
        region: 'US',
        address: { line1: '2 Dock Ln', city: 'Reno', state: 'NV', postalCode: '89501', country: 'US' },
      },
    ])
    expect(await accounts(customers!.data[0]!.id)).toContainEqual(['USD', 'INTERNAL_FIAT'])
    expect(await events()).toEqual([expect.objectContaining({ type: 'BULK_UPLOAD.COMPLETED', data })])
  })

  it('has the side effects of single creations', async () => {
    const { import: bring, list, events } = await start({ isRegulated: true })
    await bring(header, row(), row({ fullName: 'Mira 002' }))
    const statuses = (await list()).data!.data.map(
      (customer) => 'kycStatus' in customer && customer.kycStatus,
    )
    expect(statuses.sort()).toEqual(['APPROVED', 'REJECTED'])
    expect((await events()).map(({ type }) => type)).toEqual([
      'CUSTOMER.KYC_APPROVED',
      'CUSTOMER.KYC_REJECTED',
      'BULK_UPLOAD.COMPLETED',
    ])
  })

  it('takes businesses without tax id and date, adds a missing $, and shows nothing of what is only kept', async () => {
    const { import: bring, list } = await start()
    const extended = `${header},description,platformAccountId,email,favouriteColour`
    const job = await bring(
      extended,
      `${row({ umaAddress: 'falk@shop.example', platformCustomerId: 'b-1', customerType: 'BUSINESS', fullName: '', birthDate: '', businessLegalName: 'Falk AG' })},remark-1,acct-1,,blue`,
      `${row({ platformCustomerId: 'i-1' })},remark-2,acct-2,pia@row.example,`,
    )
    expect(job).toMatchObject({ status: 'COMPLETED', progress: { successful: 2 }, errors: [] })
    const { data } = (await list({ sortOrder: 'asc' })).data!
    const business = data.find(({ customerType }) => customerType === 'BUSINESS')!
    expect(business).toMatchObject({
      umaAddress: '$falk@shop.example',
      businessInfo: { legalName: 'Falk AG', country: 'US' },
      kybStatus: 'UNVERIFIED',
    })
    expect(business).not.toHaveProperty('businessInfo.taxId')
    expect(data.find(({ customerType }) => customerType === 'INDIVIDUAL')).toMatchObject({
      email: 'pia@row.example',
    })
    expect(JSON.stringify(data)).not.toMatch(/remark|acct-/)
  })

  it('refuses names that are taken, in the store or earlier in the file; the first one wins', async () => {
    const { import: bring, customer } = await start()
    const known = await customer({ platformCustomerId: 'known', umaAddress: '$Known@shop.example' })
    const first = row({ platformCustomerId: 'twice', umaAddress: '$twice@shop.example' })
    const { progress, errors } = await bring(
      header,
      row({ platformCustomerId: 'known' }),
      row({ umaAddress: '$KNOWN@shop.example' }),
      first,
      row({ platformCustomerId: 'twice' }),
      row({ umaAddress: '$twice@shop.example' }),
      row({ umaAddress: '$not an address', platformCustomerId: 'x-6' }),
    )
    expect(progress).toMatchObject({ total: 6, successful: 1, failed: 5 })
    expect(errors.map(({ code }) => code)).toEqual([
      'CONFLICT',
      'UMA_ADDRESS_EXISTS',
      'CONFLICT',
      'UMA_ADDRESS_EXISTS',
      'INVALID_UMA_ADDRESS',
    ])
    expect(errors[0]!.details).toMatchObject({ customerId: known.id })
  })

  it('names every wrong column of a row at once', async () => {
    const { import: bring } = await start()
    const { status, errors } = await bring(
      header,
      row({ umaAddress: '', platformCustomerId: '', country: 'XX', birthDate: '', fullName: '' }),
      row({ customerType: 'ALIEN' }),
      `${row()},one cell too many`,
      row({ customerType: 'BUSINESS', businessLegalName: '' }),
      'only,three,INDIVIDUAL',
    )
    expect(status).toBe('FAILED')
    const fields = errors.map(({ details }) =>
      ((details.errors ?? []) as { field: string }[]).map(({ field }) => field),
    )
    expect(errors.map(({ code }) => code)).toEqual(Array(5).fill('INVALID_INPUT'))
    expect(errors[0]!.correlationId).toBe('row_1')
    expect(new Set(fields[0])).toEqual(
      new Set(['umaAddress', 'platformCustomerId', 'country', 'birthDate', 'fullName']),
    )
    expect(fields[1]).toEqual(['customerType'])
    expect(errors[2]!.details).toEqual({ reason: 'TOO_MANY_CELLS' })
    expect(fields[3]).toEqual(['businessLegalName'])
    expect(new Set(fields[4])).toEqual(
      new Set([
        'umaAddress',
        'addressLine1',
        'city',
        'state',
        'postalCode',
        'country',
        'fullName',
        'birthDate',
      ]),
    )
  })

  it('reads quoted cells, a byte-order mark, CRLF, blank lines and columns in any order', async () => {
    const { import: bring, list } = await start()
    const shuffled = [...columns].reverse()
    const cells = row({ fullName: '"Row, ""Pia"" Quotes"', platformCustomerId: 'quoted' })
    const values = new Map<string, string>()
    for (const [index, cell] of splitCells(cells).entries()) values.set(columns[index]!, cell)
    const line = shuffled.map((column) => values.get(column)).join(',')
    const job = await bring(`\uFEFF${shuffled.join(',')}\r\n\r\n${line}\r\n   \r\n`)
    expect(job).toMatchObject({ status: 'COMPLETED', progress: { total: 1, successful: 1 } })
    const [customer] = (await list({ platformCustomerId: 'quoted' })).data!.data
    expect(customer).toMatchObject({ fullName: 'Row, "Pia" Quotes' })
  })

  it('counts exactly and shows the first thousand errors', async () => {
    const { import: bring } = await start()
    const bad = Array.from({ length: 1010 }, (_, index) => `,bad-${index + 1},INDIVIDUAL`)
    const { progress, errors, status } = await bring(header, row(), ...bad)
    expect(status).toBe('COMPLETED')
    expect(progress).toEqual({ total: 1011, processed: 1011, successful: 1, failed: 1010 })
    expect(errors).toHaveLength(1000)
    expect(errors.map(({ correlationId }) => correlationId)).toEqual(
      Array.from({ length: 1000 }, (_, index) => `bad-${index + 1}`),
    )
  })

  it('leaves nothing of the file behind', async () => {
    const { import: bring, platform } = await start()
    await bring(header, row(), row({ birthDate: 'never' }))
    const text = 'select 1 from bulk_import_parts where platform_id = $1'
    const rows = await server.rows(text, [platform.platformId])
    expect(rows).toEqual([])
  })
})

/** Cells of a line in which only one is quoted. */
function splitCells(line: string): string[] {
  return line
    .match(/"(?:[^"]|"")*"|[^,]*/g)!
    .filter((cell, index, all) => cell !== '' || all[index - 1] === '')
}

describe('a file of no use', () => {
  const required = columns.filter((column) => column !== 'umaAddress').join(',')
  test.each([
    [
      'without a required column',
      [required, row()],
      { reason: 'missing_required_column', column: 'umaAddress' },
      1,
    ],
    ['with a header alone', [header], { reason: 'no_rows' }, 0],
    ['of blank lines', ['', '  ', ''], { reason: 'no_rows' }, 0],
    ['with an open quote', [header, row(), '"open'], { reason: 'unparseable' }, 0],
    ['with a column twice', [`${header},country`, row()], { reason: 'unparseable', column: 'country' }, 1],
    [
      'with too many rows',
      [header, ...Array.from({ length: 10_001 }, () => 'a')],
      { reason: 'too_many_rows' },
      10_001,
    ],
  ])('%s fails as a whole', async (_name, lines, details, rowCount) => {
    const { import: bring, events } = await start()
    const job = await bring(...lines)
    expect(job).toMatchObject({
      status: 'FAILED',
      progress: { total: rowCount, processed: rowCount, successful: 0, failed: rowCount },
      errors: [{ correlationId: 'row_1', code: 'INVALID_INPUT', details }],
      completedAt: expect.any(String),
    })
    expect(await events()).toEqual([expect.objectContaining({ type: 'BULK_UPLOAD.FAILED', data: job })])
  })
})

describe('an upload', () => {
  it('is refused without a file, empty, or not in UTF-8', async () => {
    const { post, upload } = await start()
    const other = new FormData()
    other.append('attachment', 'a,b')
    const text = new FormData()
    text.append('file', header)
    for (const { response, body } of [
      await post(other),
      await post(text),
      await upload(''),
      await upload(new Uint8Array([0x61, 0xff, 0xfe])),
    ]) {
      expect(response.status).toBe(400)
      expect(body).toMatchObject({ code: 'INVALID_INPUT', details: { field: 'file' } })
    }
  })

  it('is refused above 20 MB', async () => {
    const { upload } = await start()
    const { response, body } = await upload(new Uint8Array(20_000_001).fill(0x61))
    expect(response.status).toBe(413)
    expect(body).toMatchObject({ code: 'INVALID_INPUT', details: { maxBytes: 20_000_000 } })
  })

  it('happens once per idempotency key, and again without one, whose rows then conflict', async () => {
    const { upload, read } = await start()
    const content = [header, row()].join('\n')
    const key = { 'idempotency-key': 'upload-1' }
    const first = await upload(content, key)
    const again = await upload(content, key)
    expect(again.body).toEqual(first.body)
    expect(again.response.headers.get('idempotent-replayed')).toBe('true')
    await server.settle()
    const { body } = await upload(content)
    await server.settle()
    const { data } = await read(String(body.jobId))
    expect(data).toMatchObject({ status: 'FAILED', errors: [{ code: 'CONFLICT' }] })
  })
})

it('shows an import to its own platform alone', async () => {
  const { upload } = await start()
  const { body } = await upload([header, row()].join('\n'))
  const stranger = await start()
  for (const id of [String(body.jobId), 'Job:0199dccc-4a80-7000-8000-000000000000', 'nonsense']) {
    const { error } = await stranger.read(id)
    expect(refusal(error)).toMatchObject({ status: 404, code: 'BULK_UPLOAD_JOB_NOT_FOUND' })
  }
})
