import { ok } from '@corridor/kernel'
import type { HostedPage } from '../../mechanisms/feature/bound.ts'
import type { Engine } from '../../mechanisms/feature/engine.ts'
import type { HostedRequest } from '../../mechanisms/http/hosted-page.ts'
import {
  certificateOf,
  identityOf,
  serviceIdentity,
  supportedMajors,
  type UmaIdentity,
} from '../uma-peers/index.ts'
import { answerCallback } from './callbacks.ts'
import { failureBody, json, refuse } from './errors.ts'
import { answerSimulatedNode } from './lightning.ts'
import { answerLookup } from './lookups.ts'
import { answerPayRequest } from './pay-requests.ts'
import { answerSettlement } from './settlements.ts'
import { tenantOf } from './tenants.ts'

const bodyLimit = 64 * 1024
/** Peers may keep our keys for an hour. */
const keyLifeSeconds = 3_600

/** The installation itself, which vouches for the platforms that it hosts, where its own host is asked. */
async function askedService(engine: Engine, { header }: HostedRequest): Promise<UmaIdentity | undefined> {
  const service = await serviceIdentity(engine)
  return service?.domain === header('host')?.toLowerCase() ? service : undefined
}

const pages: readonly HostedPage[] = [
  {
    path: '/.well-known/lnurlpubkey',
    async answer(engine, request) {
      const tenant = await tenantOf(engine, request)
      const identity = tenant
        ? await identityOf(engine, tenant, tenant.domain)
        : await askedService(engine, request)
      if (!identity) return ok(refuse('USER_NOT_FOUND'))
      const { domain } = identity
      return ok(
        json({
          // Leaf first; it is all of the chain.
          signingCertChain: [certificateOf(domain, identity.signingKey)],
          encryptionCertChain: [certificateOf(domain, identity.encryptionKey)],
          signingPubKey: identity.signingPublic,
          encryptionPubKey: identity.encryptionPublic,
          expirationTimestamp: Math.floor(engine.world.now() / 1000) + keyLifeSeconds,
        }),
      )
    },
  },
  {
    path: '/.well-known/uma-configuration',
    async answer(engine, request) {
      const tenant = await tenantOf(engine, request)
      if (!tenant) return ok(refuse('USER_NOT_FOUND'))
      const answer = json({
        name: tenant.domain,
        uma_major_versions: [...supportedMajors].reverse(),
        settlement_endpoint: `${engine.settings.baseUrl}/uma/settle`,
      })
      return ok({ ...answer, headers: { ...answer.headers, 'access-control-allow-origin': '*' } })
    },
  },
  {
    path: '/.well-known/lnurlp/:user',
    answer: async (engine, request) => ok(await answerLookup(engine, request)),
  },
  {
    path: '/uma/payreq/:id',
    method: 'POST',
    bodyLimit,
    answer: async (engine, request) => ok(await answerPayRequest(engine, request)),
  },
  {
    path: '/uma/utxo-callback/:id',
    method: 'POST',
    bodyLimit,
    answer: async (engine, request) => ok(await answerCallback(engine, request)),
  },
  {
    path: '/uma/lightning/:hash',
    answer: async (engine, request) => ok(await answerSimulatedNode(engine, request, { pays: false })),
  },
  {
    path: '/uma/lightning/:hash',
    method: 'POST',
    bodyLimit: 1_024,
    answer: async (engine, request) => ok(await answerSimulatedNode(engine, request, { pays: true })),
  },
  {
    path: '/uma/settle',
    method: 'POST',
    bodyLimit,
    answer: async (engine, request) => ok(await answerSettlement(engine, request)),
  },
]

/** What an institution shows to others under its UMA domain (webhooks-uma 6.1). Signatures take the place of credentials. */
export const umaPages: readonly HostedPage[] = pages.map((page) => ({ ...page, failureBody }))
