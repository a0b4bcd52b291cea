import { type BlobStore, isBlobKey } from '@corridor/engine/ports/blobs.ts'
import { GatheredBytes, gatherBody, type World } from '@corridor/kernel'
import { AwsClient } from 'aws4fetch'

export interface S3Settings {
  /** Address of the service, without the bucket: `https://s3.eu-west-1.amazonaws.com`. */
  readonly endpoint: string
  readonly bucket: string
  readonly region: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
}

const timeoutMs = 30_000
const maxAttempts = 3
const largestErrorDocument = 16 * 1024

/**
 * Objects in a bucket of any service that speaks S3. aws4fetch signs (96 KB installed, no dependencies;
 * the vendor's own client is 22 MB); requests go through the World. The bucket stands in the path, which
 * every such service understands.
 */
export function s3Blobs(world: Pick<World, 'fetch' | 'sleep'>, settings: S3Settings): BlobStore {
  const { endpoint, bucket, region, accessKeyId, secretAccessKey } = settings
  const signer = new AwsClient({ accessKeyId, secretAccessKey, region, service: 's3' })

  async function call(method: 'PUT' | 'GET' | 'DELETE', key: string, bytes?: Uint8Array): Promise<Response> {
    if (!isBlobKey(key)) throw new Error('a blob key has only plain characters')
    const address = `${endpoint.replace(/\/$/, '')}/${bucket}/${key}`
    for (let attempt = 1; ; attempt++) {
      const request = await signer.sign(address, {
        method,
        ...(bytes
          ? { body: Buffer.from(bytes), headers: { 'content-type': 'application/octet-stream' } }
          : {}),
      })
      const outcome = await world
        .fetch(request.url, {
          method,
          headers: request.headers,
          signal: AbortSignal.timeout(timeoutMs),
          ...(bytes ? { body: Buffer.from(bytes) } : {}),
        })
        .catch((error: unknown) => (error instanceof Error ? error : new Error(String(error))))
      // All three calls can be repeated: a second one does what the first did.
      const isOver = !(outcome instanceof Error) && outcome.status < 500 && outcome.status !== 429
      if (isOver) return outcome
      if (attempt === maxAttempts) {
        const reason = outcome instanceof Error ? outcome.message : `status ${outcome.status}`
        throw new Error(`the object store does not respond: ${reason}`)
      }
      await world.sleep(200 * 2 ** attempt)
    }
  }

  async function expectSuccess(response: Response): Promise<void> {
    if (response.ok) return
    const document = await gatherBody(response, new GatheredBytes(largestErrorDocument))
    // The code of the error document names the cause, and nothing of the request.
    const code = /<Code>(\w{1,64})<\/Code>/.exec(new TextDecoder().decode(document.bytes()))?.[1]
    throw new Error(
      `the object store rejects the request: status ${response.status}${code ? ` ${code}` : ''}`,
    )
  }

  return {
    async put(key, bytes) {
      await expectSuccess(await call('PUT', key, bytes))
    },
    async get(key) {
      const response = await call('GET', key)
      if (response.status === 404) return undefined
      if (!response.ok) await expectSuccess(response)
      return new Uint8Array(await response.arrayBuffer())
    },
    async remove(key) {
      const response = await call('DELETE', key)
      if (response.status !== 404) await expectSuccess(response)
    },
  }
}
