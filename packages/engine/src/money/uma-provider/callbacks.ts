import { lowerAscii } from '@corridor/kernel'
import type { Engine } from '../../mechanisms/feature/engine.ts'
import type { HostedAnswer, HostedRequest } from '../../mechanisms/http/hosted-page.ts'
import { loadConfig } from '../../platform/platforms/index.ts'
import { admit, cameAsExpected, findCallbackAddress, findCounterparty } from '../uma-peers/index.ts'
import { json, refuse, refuseAs } from './errors.ts'
import { isRequestId } from './lookups.ts'

const maxOutputs = 100
const longestOutput = 128

/**
 * A peer tells which outputs a payment moved (webhooks-uma 6.3, step 6): at the address that it was given, signed, once. The
 * payment is settled by then and nothing follows from it.
 */
export async function answerCallback(engine: Engine, request: HostedRequest): Promise<HostedAnswer> {
  const { params, body } = request
  const address = isRequestId(params.id) ? await findCallbackAddress(engine.database, params.id) : undefined
  if (!address || engine.world.now() >= address.expiresAt) return refuse('REQUEST_NOT_FOUND')
  const { vaspDomain, utxos } = body
  if (typeof vaspDomain !== 'string' || lowerAscii(vaspDomain) !== address.peerDomain) {
    return refuse('REQUEST_NOT_FOUND')
  }
  const config = await loadConfig(engine.database, address)
  const peer = await findCounterparty(engine, address, config, address.peerDomain)
  if (!peer || !cameAsExpected(peer, request)) return refuse('COUNTERPARTY_NOT_ALLOWED')
  if (!Array.isArray(utxos) || utxos.length > maxOutputs || !utxos.every(isOutput))
    return refuse('INVALID_INPUT')
  const admitted = await admit(engine, address, {
    peer,
    parts: [],
    signature: body.signature,
    nonce: body.signatureNonce,
    timestamp: body.signatureTimestamp,
  })
  return 'refusal' in admitted ? refuseAs(admitted.refusal) : json({ status: 'OK' })
}

function isOutput(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  const { utxo, amountMsats } = value as { utxo?: unknown; amountMsats?: unknown }
  const isNamed = typeof utxo === 'string' && utxo.length <= longestOutput
  return isNamed && Number.isSafeInteger(amountMsats) && (amountMsats as number) >= 0
}
