import { type Instant, ok, toTimestamp, toWireAmount } from '@corridor/kernel'
import type { Database } from '../../mechanisms/db/database.ts'
import { statement } from '../../mechanisms/db/driver.ts'
import { jobHandler } from '../../mechanisms/feature/bound.ts'
import type { Engine } from '../../mechanisms/feature/engine.ts'
import type { SettledPayment } from '../../ports/lightning.ts'
import type { Decision, NewJob } from '../../vocabulary/decision.ts'
import type { Book } from '../../vocabulary/scope.ts'
import { transportTo } from './counterparties.ts'
import { identityOf } from './own-keys.ts'
import { isPeerAddress, signParts } from './wire.ts'

/** After a payment each side tells the other which outputs moved (webhooks-uma 6.3, step 6). */

/** Longer than a peer goes on telling. */
const addressLifeMs = 24 * 60 * 60_000
const timeoutMs = 10_000
/** Between attempts: five more within an hour. */
const pausesMs = [1, 4, 10, 20, 25].map((minutes) => minutes * 60_000)

/** An address of ours that a peer was given. */
export interface CallbackAddress extends Book {
  readonly peerDomain: string
  readonly expiresAt: Instant
}

const find = statement(
  'uma.callback',
  `select platform_id as "platformId", environment, peer_domain as "peerDomain", expires_at as "expiresAt"
   from uma_callbacks where id = $1`,
)
const forget = statement(
  'uma.forgetCallbacks',
  'delete from uma_callbacks where platform_id = $1 and environment = $2 and expires_at <= $3',
)

export async function findCallbackAddress(
  database: Database,
  id: string,
): Promise<CallbackAddress | undefined> {
  const [row] = await database.system((connection) => connection.query<CallbackAddress>(find, [id]))
  return row
}

/** A new address for one peer, and what keeps it. Real time. */
export function newCallbackAddress(
  { world, settings }: Pick<Engine, 'world' | 'settings'>,
  { platformId, environment }: Book,
  peerDomain: string,
): { readonly url: string } & Required<Pick<Decision, 'inserts' | 'statements'>> {
  const id = world.uuid()
  const now = world.now()
  const row = { id, peer_domain: peerDomain, expires_at: toTimestamp(now + addressLifeMs) }
  return {
    url: `${settings.baseUrl}/uma/utxo-callback/${id}`,
    inserts: [{ table: 'uma_callbacks', row }],
    statements: [{ statement: forget, parameters: [platformId, environment, toTimestamp(now)] }],
  }
}

/** Whom to tell, and on whose behalf. */
export interface Telling {
  readonly url: string
  readonly peerDomain: string
  readonly isHosted: boolean
  readonly ownDomain: string
  /** Of a payment over Lightning; bilateral settlement moves no outputs. */
  readonly overLightning?: SettledPayment
}

interface TellPayload extends Telling {
  /** How often it has been tried. */
  readonly attempts: number
}

const tellJob = 'uma.tellPeer'

/** Tells the peer where it wants to be told; nothing to do where it named no address that it may name. */
export function tellPeer({ url, ...telling }: Omit<Telling, 'url'> & { url: unknown }): NewJob[] {
  if (!isPeerAddress(url, telling.peerDomain)) return []
  const payload: TellPayload = { ...telling, url, attempts: 0 }
  return [{ kind: tellJob, payload }]
}

/** More than these no institution of this kind takes in. */
const mostOutputs = 100

/** Names the outputs that our node knows. Whatever becomes of it, the payment is what it is. */
export const tellingOfPeers = jobHandler<TellPayload>({
  kind: tellJob,
  async run(engine, scope, payload) {
    const { url, isHosted, ownDomain, attempts, overLightning } = payload
    const { world } = engine
    const { lightning } = engine.adapters[scope.environment]
    const outputs = (overLightning && (await lightning?.outputsOf(overLightning))) ?? []
    const utxos = outputs
      .slice(0, mostOutputs)
      .map(({ utxo, amountMsats }) => ({ utxo, amountMsats: toWireAmount(amountMsats) }))
    const identity = await identityOf(engine, scope, ownDomain)
    const signed = signParts([], identity.signingKey, { world, now: world.now() })
    const body = JSON.stringify({ utxos, vaspDomain: ownDomain, ...signed })
    const answer = await transportTo(engine, scope.environment, { isHosted }).post(url, body, timeoutMs)
    const pauseMs = answer.ok && answer.status < 300 ? undefined : pausesMs[attempts]
    const again = { ...payload, attempts: attempts + 1 }
    return ok({
      jobs: pauseMs === undefined ? [] : [{ kind: tellJob, payload: again, runAt: scope.now + pauseMs }],
      result: () => undefined,
    })
  },
})
