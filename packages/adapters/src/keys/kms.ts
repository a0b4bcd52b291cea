import { DecryptCommand, EncryptCommand, KMSClient } from '@aws-sdk/client-kms'
import type { KeyService } from '@corridor/engine/ports/key-service.ts'
import { assert } from '@corridor/kernel'

export interface KmsOptions {
  /** Id, ARN or alias of a symmetric key. */
  readonly keyId: string
  readonly region: string
  /** Of a service that speaks the same protocol; absent: AWS in the region. */
  readonly endpoint?: string | undefined
}

/** Part of what is authenticated, and in the service's own record of who asked. */
const context = { application: 'corridor', purpose: 'keyring' }
const timeouts = { connectionTimeout: 5_000, requestTimeout: 10_000 }

/**
 * A master key that never leaves a key service of the AWS KMS protocol. It is asked once at each start and by
 * the rotation, never by a request. Credentials are those that the AWS client finds: variables, files, or the
 * role of the machine. The client has its own network and its own retries.
 */
export function kmsKeyService({ keyId, region, endpoint }: KmsOptions): KeyService {
  const client = new KMSClient({ region, ...(endpoint ? { endpoint } : {}), requestHandler: timeouts })
  return {
    id: `kms-${keyId}`,
    async wrap(secret) {
      const { CiphertextBlob } = await client.send(
        new EncryptCommand({ KeyId: keyId, Plaintext: secret, EncryptionContext: context }),
      )
      assert(CiphertextBlob, 'a key service answers with a ciphertext')
      return Buffer.from(CiphertextBlob).toString('base64')
    },
    async unwrap(wrapped) {
      const { Plaintext } = await client.send(
        new DecryptCommand({
          KeyId: keyId,
          CiphertextBlob: Buffer.from(wrapped, 'base64'),
          EncryptionContext: context,
        }),
      )
      assert(Plaintext, 'a key service answers with a plaintext')
      return Plaintext
    },
  }
}
