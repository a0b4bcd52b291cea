import { DatabaseUnavailable } from '@corridor/engine/mechanisms/db/availability.ts'
import { openTestServer } from '@corridor/testkit/index.ts'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { header, importApi } from '../e2e/bulk-import-api.ts'
import { onboarding, person } from '../e2e/onboarding.ts'

const server = await openTestServer()

describe('an upload that breaks off', () => {
  /** Larger than a piece, so that it breaks in the middle. */
  const large = `${header}\n${'x'.repeat(900_000)}`
  const stored = async ({ platformId }: { platformId: string }) => {
    const text = `select (select count(*)::int from bulk_import_parts where platform_id = $1) as parts,
      (select count(*)::int from jobs where platform_id = $1 and kind = 'forgetUpload') as jobs`
    const [found] = await server.rows(text, [platformId])
    return found
  }
  /** Whoever had the job is dead; others take it when its lease ends. */
  const leaseEnds = async () => {
    server.world.passMs(server.engine.settings.jobLeaseMs + 1)
    await server.settle()
  }
  afterEach(() => vi.restoreAllMocks())

  it('leaves nothing behind, once others may take over', async () => {
    const { upload, platform } = await importApi(server)
    const { database } = server.engine
    const write = database.write.bind(database)
    let pieces = 0
    vi.spyOn(database, 'write').mockImplementation((book, statement, parameters) => {
      if (statement.name === 'bulkImports.storePiece' && ++pieces === 3) throw new Error('the disk is gone')
      return write(book, statement, parameters)
    })
    expect((await upload(large)).response.status).toBe(500)
    expect(await stored(platform)).toEqual({ parts: 2, jobs: 1 })
    await server.settle()
    expect(await stored(platform)).toEqual({ parts: 2, jobs: 1 })
    await leaseEnds()
    expect(await stored(platform)).toEqual({ parts: 0, jobs: 0 })
  })

  it('of ten files is refused, and nothing goes on in it afterwards', async () => {
    const platform = await server.platform()
    const form = new FormData()
    for (let count = 0; count < 10; count++) form.append(`file${count}`, new Blob([large]), 'customers.csv')
    const { clientId, clientSecret } = platform
    const authorization = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`
    const response = await server.fetch(`${server.baseUrl}/customers/bulk/csv`, {
      method: 'POST',
      headers: { authorization },
      body: form,
    })
    // What is thrown afterwards, outside of the request, fails the run.
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(response.status).toBe(400)
    expect((await response.json()).details.reason).toBe('there are too many files')
  })

  it('leaves nothing behind at once where it is refused', async () => {
    const { upload, platform } = await importApi(server)
    const bytes = new Uint8Array(900_000).fill(0x61)
    bytes[890_000] = 0xff
    expect((await upload(bytes)).response.status).toBe(400)
    expect(await stored(platform)).toEqual({ parts: 0, jobs: 0 })
  })

  it('becomes no import when it was taken for dead meanwhile', async () => {
    const { upload, platform } = await importApi(server)
    const { database } = server.engine
    const write = database.write.bind(database)
    let pieces = 0
    vi.spyOn(database, 'write').mockImplementation(async (book, statement, parameters) => {
      if (statement.name === 'bulkImports.storePiece' && ++pieces === 3) await leaseEnds()
      return write(book, statement, parameters)
    })
    const { response, body } = await upload(large)
    expect([response.status, body.code]).toEqual([503, 'SERVICE_UNAVAILABLE'])
    const imports = await server.rows('select 1 from bulk_imports where platform_id = $1', [
      platform.platformId,
    ])
    expect(imports).toEqual([])
    await leaseEnds()
    expect(await stored(platform)).toEqual({ parts: 0, jobs: 0 })
  })

  it('is not held up by the job when all goes well', async () => {
    const { upload, platform } = await importApi(server)
    expect((await upload(large)).response.status).toBe(202)
    expect(await stored(platform)).toMatchObject({ jobs: 0 })
    await server.settle()
    expect(await stored(platform)).toEqual({ parts: 0, jobs: 0 })
  })
})

it('the file of a document stays when the response to its commit is lost: the document may be there', async () => {
  const at = onboarding(server, await server.platform())
  const { id } = await at.create(person)
  const { applier } = server.engine
  const { apply } = applier
  const losing = async (...asked: Parameters<typeof apply>) => {
    await apply(...asked)
    throw new DatabaseUnavailable('AWAY', 'no standby has confirmed the commit')
  }
  Object.assign(applier, { apply: losing })
  const { status } = await at.upload({ holder: id }).finally(() => Object.assign(applier, { apply }))
  expect(status).toBe(503)
  const { data } = await at.api.GET('/documents', { params: { query: { documentHolder: id } } })
  expect(data!.data).toHaveLength(1)
  expect(server.blobs.files.size).toBe(1)
})
