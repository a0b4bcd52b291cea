import { isUuid, largestWireMinor, lowerAscii, ok, toTimestamp, toWireAmount } from '@corridor/kernel'
import { commit } from '../../mechanisms/db/apply.ts'
import type { Engine } from '../../mechanisms/feature/engine.ts'
import type { HostedAnswer, HostedRequest } from '../../mechanisms/http/hosted-page.ts'
import { loadConfig } from '../../platform/platforms/index.ts'
import type { IdentityStatus } from '../../ports/identity.ts'
import { findAddressHolder } from '../receivers/index.ts'
import {
  admit,
  backingSignatures,
  cameAsExpected,
  findBacked,
  findCounterparty,
  identityOf,
  isDomain,
  majorOf,
  readBackingSignatures,
  settlesBilaterally,
  signParts,
  supportedMajors,
  toMsats,
  toUmaKey,
  umaVersions,
} from '../uma-peers/index.ts'
import { json, refuse, refuseAs } from './errors.ts'
import { loadReceiver, type Receiver, renderOffer } from './offers.ts'
import { forgetLookups } from './store.ts'
import { tenantOf } from './tenants.ts'

const lookupLifeMs = 10 * 60_000
const userForm = /^\$[a-z0-9._+-]{1,64}$/
const umaParameters = ['signature', 'vaspDomain', 'nonce', 'timestamp', 'umaVersion'] as const

/** A peer asks what a customer can be sent (webhooks-uma 6.3 step 2, 6.4). */
export async function answerLookup(engine: Engine, request: HostedRequest): Promise<HostedAnswer> {
  const { query } = request
  const given = umaParameters.filter((name) => query[name] !== undefined && query[name] !== '')
  const user = lowerAscii(request.params.user ?? '')
  if (given.length === 0 || !user.startsWith('$')) return refuse('NON_UMA_LNURL_NOT_SUPPORTED')
  if (given.length < umaParameters.length) return refuse('MISSING_REQUIRED_UMA_PARAMETERS')
  const major = majorOf(query.umaVersion)
  if (major === undefined) {
    return refuse('UNSUPPORTED_UMA_VERSION', { supportedMajorVersions: supportedMajors })
  }
  const tenant = await tenantOf(engine, request)
  if (!tenant || !userForm.test(user)) return refuse('USER_NOT_FOUND')
  const config = await loadConfig(engine.database, tenant)
  const peerDomain = lowerAscii(query.vaspDomain ?? '')
  const backers = readBackingSignatures(query.backingSignatures)
  const peer = isDomain(peerDomain)
    ? ((await findCounterparty(engine, tenant, config, peerDomain)) ??
      findBacked(config, peerDomain, backers))
    : undefined
  if (!peer || !cameAsExpected(peer, request)) return refuse('COUNTERPARTY_NOT_ALLOWED')
  const address = `${user}@${tenant.domain}`
  const { timestamp = '' } = query
  const admitted = await admit(engine, tenant, {
    peer,
    parts: [address],
    signature: query.signature,
    nonce: query.nonce,
    timestamp: /^[0-9]{1,12}$/.test(timestamp) ? Number(timestamp) : undefined,
    backingSignatures: backers,
  })
  if ('refusal' in admitted) return refuseAs(admitted.refusal)

  const holder = await findAddressHolder(engine.database, tenant, address)
  if (holder?.platformId !== tenant.platformId) return refuse('USER_NOT_FOUND')
  const scope = await engine.clock.scope(tenant, { id: 'peer', permissions: [] })
  const receiver = await loadReceiver(engine, scope, holder.customerId)
  if (!receiver) return refuse('USER_NOT_FOUND')
  if (!receiver.isReady || receiver.offers.length === 0) return refuse('USER_NOT_READY')

  const id = engine.world.uuid()
  await commit<null>(engine.applier, scope, async () =>
    ok({
      inserts: [
        {
          table: 'uma_requests',
          row: {
            id,
            peer_domain: peerDomain,
            customer_id: receiver.customer.id,
            major_version: major,
            expires_at: toTimestamp(engine.world.now() + lookupLifeMs),
          },
        },
      ],
      statements: [
        {
          statement: forgetLookups,
          parameters: [scope.platformId, scope.environment, toTimestamp(engine.world.now())],
        },
      ],
      result: () => null,
    }),
  )
  const identity = await identityOf(engine, tenant, tenant.domain)
  const { world, settings } = engine
  const signed = signParts([address], identity.signingKey, { world, now: world.now() })
  const backing = await backingSignatures(engine, peer, tenant.domain, [address], signed)
  const mostMsats = receiver.offers
    .map(({ maxMinor, rate }) => toMsats(maxMinor, rate))
    .reduce((a, b) => (a > b ? a : b), 1n)
  return json({
    tag: 'payRequest',
    callback: `${settings.baseUrl}/uma/payreq/${id}`,
    minSendable: 1,
    maxSendable: toWireAmount(mostMsats < largestWireMinor ? mostMsats : largestWireMinor),
    metadata: metadataOf(address),
    currencies: receiver.offers.map((offer) => renderOffer(offer, major)),
    payerData: payerDataOf(receiver),
    umaVersion: umaVersions[major],
    compliance: {
      kycStatus: kycStatuses[receiver.customer.status],
      isSubjectToTravelRule: true,
      receiverIdentifier: address,
      ...signed,
      ...backing,
    },
    commentAllowed: 0,
    settlementOptions:
      major === 1 && settlesBilaterally(peer)
        ? [
            {
              settlementLayer: 'bilateral',
              assets: [
                {
                  identifier: 'BTC',
                  multipliers: Object.fromEntries(
                    receiver.offers.map(({ currency, multiplier }) => [currency, multiplier]),
                  ),
                },
              ],
            },
          ]
        : [],
  })
}

export function metadataOf(address: string): string {
  return JSON.stringify([
    ['text/plain', `Pay ${address}`],
    ['text/identifier', address],
  ])
}

/** REJECTED is never told: such a customer is not ready. */
const kycStatuses: Readonly<Record<IdentityStatus, string>> = {
  APPROVED: 'VERIFIED',
  PENDING: 'PENDING',
  UNVERIFIED: 'NOT_VERIFIED',
  REJECTED: 'UNKNOWN',
}

/** A key is mandatory here where every offered currency makes it so; the pay request is measured by its own. */
function payerDataOf({ config, offers }: Receiver): Readonly<Record<string, { mandatory: boolean }>> {
  const wanted = offers.map(
    ({ currency }) =>
      config.supportedCurrencies.find(({ currencyCode }) => currencyCode === currency)
        ?.requiredCounterpartyFields ?? [],
  )
  const keys = new Map<string, { mandatory: boolean }>()
  for (const { name } of wanted.flat()) {
    const mandatory = wanted.every((fields) => fields.some((field) => field.name === name && field.mandatory))
    if (name !== 'IDENTIFIER') keys.set(toUmaKey(name), { mandatory })
  }
  return {
    ...Object.fromEntries(keys),
    identifier: { mandatory: true },
    compliance: { mandatory: true },
  }
}

export function isRequestId(text: string | undefined): text is string {
  return text !== undefined && isUuid(text)
}
