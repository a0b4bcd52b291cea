import { failed, ok, type Result } from '@corridor/kernel'
import type { Engine } from '../../mechanisms/feature/engine.ts'
import { type Failure, fail } from '../../vocabulary/errors.ts'
import type { Reply } from '../../vocabulary/operation.ts'
import { decryptWith, identityOf } from '../uma-peers/index.ts'
import { findTravelRuleInfo } from './store.ts'

/** Opens what a payer's institution told under the travel rule; the operator alone may (webhooks-uma 6.5). */
export async function readTravelRuleInfo(
  engine: Engine,
  transactionId: string,
): Promise<Result<Reply, Failure>> {
  const found = await findTravelRuleInfo(engine.database, transactionId)
  if (!found) {
    return failed(fail('TRANSACTION_NOT_FOUND', { resourceType: 'Transaction', id: transactionId }))
  }
  const { payerUma, payeeUma, peerDomain, ciphertext } = found
  engine.world.log.info({ transactionId }, 'travel rule information was read by the operator')
  if (ciphertext === null) return ok({ status: 200, body: { payerUma, peerDomain } })
  const { encryptionKey } = await identityOf(engine, found, payeeUma.split('@')[1] ?? '')
  const info = decryptWith(encryptionKey, ciphertext)
  return ok({ status: 200, body: { payerUma, peerDomain, ...(info === undefined ? {} : { info }) } })
}
