import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { localKeyService } from '@corridor/engine/mechanisms/keys/master-key.ts'
import { simWorld } from '@corridor/testkit/sim-world.ts'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { kmsKeyService } from './kms.ts'

/** A key service of the same protocol, with one key. */
let service: Server
let endpoint: string
const asked: { target: string; body: Record<string, unknown> }[] = []
beforeAll(async () => {
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'test')
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'test')
  const key = localKeyService(new Uint8Array(32).fill(3), simWorld(3))
  service = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const body = JSON.parse(Buffer.concat(chunks).toString('utf8')) as Record<string, string>
    const target = String(request.headers['x-amz-target'])
    asked.push({ target, body })
    const context = JSON.stringify(body.EncryptionContext)
    const answer = (status: number, value: object) =>
      response.writeHead(status, { 'content-type': 'application/x-amz-json-1.1' }).end(JSON.stringify(value))
    if (body.KeyId !== 'alias/corridor') return answer(400, { __type: 'NotFoundException' })
    if (target === 'TrentService.Encrypt') {
      const wrapped = await key.wrap(Buffer.from(`${context}\n${body.Plaintext}`))
      return answer(200, { CiphertextBlob: Buffer.from(wrapped).toString('base64') })
    }
    const opened = await key
      .unwrap(Buffer.from(body.CiphertextBlob!, 'base64').toString())
      .then((bytes) => Buffer.from(bytes).toString().split('\n'))
      .catch(() => [])
    if (opened[0] !== context) return answer(400, { __type: 'InvalidCiphertextException' })
    return answer(200, { Plaintext: opened[1] })
  })
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve))
  endpoint = `http://127.0.0.1:${(service.address() as AddressInfo).port}`
})
afterAll(() => {
  vi.unstubAllEnvs()
  service.closeAllConnections()
  service.close()
})

it('a key service wraps and unwraps, and refuses a text that was changed or a key it does not have', async () => {
  const keys = kmsKeyService({ keyId: 'alias/corridor', region: 'eu-west-1', endpoint })
  const secret = Buffer.from('thirty-two bytes and a few more')
  const wrapped = await keys.wrap(secret)
  expect(wrapped).not.toContain(secret.toString('base64'))
  expect(Buffer.from(await keys.unwrap(wrapped))).toEqual(secret)
  expect(asked.map(({ target }) => target)).toEqual(['TrentService.Encrypt', 'TrentService.Decrypt'])
  expect(asked[0]!.body.EncryptionContext).toEqual({ application: 'corridor', purpose: 'keyring' })
  await expect(keys.unwrap(Buffer.from('nothing').toString('base64'))).rejects.toMatchObject({
    name: 'InvalidCiphertextException',
  })
  const unknown = kmsKeyService({ keyId: 'alias/other', region: 'eu-west-1', endpoint })
  expect(unknown.id).not.toBe(keys.id)
  await expect(unknown.wrap(secret)).rejects.toMatchObject({ name: 'NotFoundException' })
})
