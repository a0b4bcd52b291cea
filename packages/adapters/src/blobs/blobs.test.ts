import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BlobStore } from '@corridor/engine/ports/blobs.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { directoryBlobs } from './directory.ts'
import { s3Blobs } from './s3.ts'

const world = { fetch, sleep: async () => {} }
const bytes = Uint8Array.from({ length: 1000 }, (_, index) => index % 256)

/** What every blob store does, whatever it is made of. */
function itKeepsFiles(open: () => BlobStore): void {
  it('gives back what was put, replaces it, and forgets what is removed', async () => {
    const blobs = open()
    const key = 'platform/sandbox/file-1'
    expect(await blobs.get(key)).toBeUndefined()
    await blobs.put(key, bytes)
    expect(Uint8Array.from((await blobs.get(key))!)).toEqual(bytes)
    await blobs.put(key, bytes.subarray(0, 3))
    expect(Uint8Array.from((await blobs.get(key))!)).toEqual(bytes.subarray(0, 3))
    await blobs.remove(key)
    await blobs.remove(key)
    expect(await blobs.get(key)).toBeUndefined()
  })

  it.each(['../outside', '/etc/passwd', 'a//b', 'a/../b', '.hidden', 'a b', ''])(
    'refuses the key %j',
    async (key) => {
      await expect(open().put(key, bytes)).rejects.toThrow('key')
    },
  )
}

describe('a folder', () => {
  const root = mkdtempSync(join(tmpdir(), 'corridor-blobs-'))
  afterAll(() => rmSync(root, { recursive: true, force: true }))
  itKeepsFiles(() => directoryBlobs(root))

  it('is readable by its owner alone and holds no unfinished file', async () => {
    await directoryBlobs(root).put('p/s/f', bytes)
    expect(statSync(join(root, 'p/s/f')).mode & 0o077).toBe(0)
    expect(readdirSync(join(root, 'p/s'))).toEqual(['f'])
  })
})

describe('an S3-compatible service', () => {
  const objects = new Map<string, Buffer>()
  const seen: { method: string; path: string; authorization: string }[] = []
  let answers: number[] = []
  let server: Server
  let endpoint: string

  beforeAll(async () => {
    server = createServer((request, response) => {
      const chunks: Buffer[] = []
      request.on('data', (chunk: Buffer) => chunks.push(chunk))
      request.on('end', () => {
        const { method = '', url: path = '', headers } = request
        seen.push({ method, path, authorization: headers.authorization ?? '' })
        const forced = answers.shift()
        if (forced) return void response.writeHead(forced).end('<Error><Code>SlowDown</Code></Error>')
        if (method === 'PUT') objects.set(path, Buffer.concat(chunks))
        if (method === 'DELETE') objects.delete(path)
        const object = objects.get(path)
        response.writeHead(method === 'GET' && !object ? 404 : 200).end(method === 'GET' ? object : undefined)
      })
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  afterAll(() => {
    server.close()
  })

  const open = () =>
    s3Blobs(world, {
      endpoint: `${endpoint}/`,
      bucket: 'documents',
      region: 'eu-west-1',
      accessKeyId: 'AKEXAMPLE',
      secretAccessKey: 'secret',
    })
  itKeepsFiles(open)

  it('signs for the bucket and the region, with the key in the path', async () => {
    await open().put('p/s/f', bytes)
    const last = seen.at(-1)!
    expect(last).toMatchObject({ method: 'PUT', path: '/documents/p/s/f' })
    expect(last.authorization).toMatch(
      /^AWS4-HMAC-SHA256 Credential=AKEXAMPLE\/\d{8}\/eu-west-1\/s3\/aws4_request, SignedHeaders=.*host.*, Signature=[0-9a-f]{64}$/,
    )
  })

  it('tries three times when the service is busy, and then says so', async () => {
    answers = [503, 500]
    await open().put('p/s/g', bytes)
    expect(objects.has('/documents/p/s/g')).toBe(true)
    answers = [503, 503, 503]
    await expect(open().get('p/s/g')).rejects.toThrow('does not respond: status 503')
    answers = [403]
    await expect(open().put('p/s/g', bytes)).rejects.toThrow('rejects the request: status 403 SlowDown')
  })
})
