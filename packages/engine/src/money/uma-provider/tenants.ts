import { lowerAscii } from '@corridor/kernel'
import type { Engine } from '../../mechanisms/feature/engine.ts'
import type { HostedRequest } from '../../mechanisms/http/hosted-page.ts'
import { isDomainOfService } from '../../platform/platforms/index.ts'
import { findTenant, findTenantByLabel, type Tenant } from './store.ts'

const hostForm = /^[a-z0-9]([a-z0-9.-]{0,250}[a-z0-9])?(:[1-9][0-9]{0,4})?$/

/**
 * Whose well-known address was asked (webhooks-uma 6.1): the UMA domain itself where it points here, or the platform's
 * proxy subdomain of this installation. What is signed is the domain, in either case.
 */
export async function tenantOf(engine: Engine, request: HostedRequest): Promise<Tenant | undefined> {
  const host = lowerAscii(request.header('host') ?? '')
  if (!hostForm.test(host)) return undefined
  const { baseUrl } = engine.settings
  // Before any domain: a row may name a host of the service, from before this was refused.
  if (!isDomainOfService(host, baseUrl)) return findTenant(engine.database, host, request.environment)
  const [label = '', ...rest] = host.split('.')
  const serviceHost = new URL(baseUrl).host
  if (rest.join('.') !== serviceHost) return undefined
  return findTenantByLabel(engine.database, label, [host, serviceHost])
}
