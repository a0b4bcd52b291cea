import { failed, ok, type Result, stateAfter } from '@corridor/kernel'
import { commit } from '../../mechanisms/db/apply.ts'
import type { Engine } from '../../mechanisms/feature/engine.ts'
import { type Configuration, loadConfig } from '../../platform/platforms/index.ts'
import { type Failure, fail, failFields } from '../../vocabulary/errors.ts'
import type { Reply } from '../../vocabulary/operation.ts'
import type { Scope, SilentScope } from '../../vocabulary/scope.ts'
import {
  type Customer,
  findCustomerByUma,
  loadCustomer,
  parseUmaAddress,
  whileCustomerStays,
} from '../customers/index.ts'
import type { UmaInvitation, UmaInvitationCreateRequest } from './contract.ts'
import { invitationMachine } from './machine.ts'
import {
  closedRefusal,
  creationRefusal,
  decideClaim,
  decideCreate,
  decideEnd,
  newInvitation,
  normalizeCode,
  renderInvitation,
} from './rules.ts'
import { findBookOfCode, type Invitation, loadInvitation } from './store.ts'

const codeBytes = 4

/**
 * A customer's invitation (webhooks-uma 4). INVALID_UMA_ADDRESS for what is none, INVALID_INPUT for nobody's,
 * INVITATIONS_NOT_CONFIGURED where the operator has not said what an invitation shows.
 */
export async function createInvitation(
  engine: Engine,
  scope: Scope,
  request: UmaInvitationCreateRequest,
): Promise<Result<Reply, Failure>> {
  const { inviterUma: umaAddress } = request
  if (!parseUmaAddress(umaAddress)) return failed(fail('INVALID_UMA_ADDRESS', { umaAddress }))
  return commit(engine.applier, scope, async () => {
    const [inviter, config] = await Promise.all([
      customerAt(engine, scope, umaAddress),
      loadConfig(engine.database, scope),
    ])
    if (!isConfigured(engine, scope, config)) return failed(fail('INVITATIONS_NOT_CONFIGURED'))
    if (!inviter) {
      return failed(
        failFields([{ field: 'inviterUma', message: 'does not belong to a customer of the platform' }]),
      )
    }
    const currency = inviter.currencies[0]
    const primary = config.supportedCurrencies.find(({ currencyCode }) => currencyCode === currency)
    const refusal = creationRefusal(scope, request, { primary })
    if (refusal) return failed(refusal)
    const code = Buffer.from(engine.world.randomBytes(codeBytes)).toString('hex')
    const invitation = newInvitation(scope, request, { code, inviter, currency })
    return ok({
      ...decideCreate(scope, invitation, engine.settings.baseUrl),
      requires: [whileCustomerStays(inviter)],
    })
  })
}

function isConfigured({ adapters }: Engine, scope: Scope, { settings }: Configuration): boolean {
  return settings.invitations !== undefined || adapters[scope.environment].rules.invitesUnconfigured
}

async function customerAt(engine: Engine, scope: Scope, umaAddress: string): Promise<Customer | undefined> {
  const id = await findCustomerByUma(engine.database, scope, umaAddress)
  return id === undefined ? undefined : loadCustomer(engine, scope, id)
}

/** For every platform that holds the code: it is the secret. */
export async function readInvitation(
  engine: Engine,
  scope: Scope,
  code: string,
): Promise<Result<UmaInvitation, Failure>> {
  const home = await homeOf(engine, scope, code)
  if (!home.ok) return home
  const invitation = await loadInvitation(engine.database, home.value.scope, home.value.code)
  if (!invitation) return failed(notFound(code))
  return ok(render(engine, home.value.scope, invitation))
}

/** Where an invitation is kept, and what time it is there. */
interface Home {
  readonly code: string
  readonly scope: SilentScope
}

async function homeOf(engine: Engine, scope: Scope, text: string): Promise<Result<Home, Failure>> {
  const code = normalizeCode(text)
  const book = code && (await findBookOfCode(engine.database, scope.environment, code))
  if (!book) return failed(notFound(text))
  return ok({ code, scope: await engine.clock.scope(book, { id: scope.actor.id, permissions: [] }) })
}

function notFound(code: string): Failure {
  return fail('INVITATION_NOT_FOUND', { resourceType: 'UmaInvitation', id: code })
}

function render(engine: Engine, { now }: Scope, invitation: Invitation): UmaInvitation {
  return renderInvitation(invitation, { now, baseUrl: engine.settings.baseUrl })
}

/**
 * Claims an invitation for a customer of the calling platform. The change and its event are the inviter's, so they
 * are committed in the inviter's book; a repetition under the same idempotency key finds its own claim.
 */
export async function claimInvitation(
  engine: Engine,
  scope: Scope,
  code: string,
  inviteeUma: string,
): Promise<Result<Reply, Failure>> {
  const home = await homeOf(engine, scope, code)
  if (!home.ok) return home
  const inHome = home.value.scope
  const { key } = scope.recording ?? {}
  const claimedBy = key === undefined ? null : `${scope.platformId} ${key}`
  const invitee = parseUmaAddress(inviteeUma) ? await customerAt(engine, scope, inviteeUma) : undefined
  const { baseUrl } = engine.settings
  const claimed = await commit<UmaInvitation>(engine.applier, inHome, async () => {
    const invitation = await loadInvitation(engine.database, inHome, home.value.code)
    if (!invitation) return failed(notFound(code))
    if (claimedBy !== null && invitation.claimedBy === claimedBy) {
      return ok({ result: () => render(engine, inHome, invitation) })
    }
    const refusal = closedRefusal(invitation, 'claim', inHome.now)
    if (refusal) return failed(refusal)
    if (!invitee) return failed(fail('INVALID_UMA_ADDRESS', { umaAddress: inviteeUma }))
    if (invitee.umaAddress === invitation.inviterUma) return failed(fail('SELF_PAYMENT'))
    return ok(decideClaim(inHome, invitation, { inviteeUma: invitee.umaAddress, claimedBy, baseUrl }))
  })
  return claimed.ok ? ok({ status: 200, body: claimed.value }) : claimed
}

/** Takes an invitation back; FORBIDDEN for every platform but the one that made it. */
export async function cancelInvitation(
  engine: Engine,
  scope: Scope,
  code: string,
): Promise<Result<Reply, Failure>> {
  const home = await homeOf(engine, scope, code)
  if (!home.ok) return home
  if (home.value.scope.platformId !== scope.platformId) return failed(fail('FORBIDDEN'))
  return commit(engine.applier, scope, async () => {
    const invitation = await loadInvitation(engine.database, scope, home.value.code)
    if (!invitation) return failed(notFound(code))
    const refusal = closedRefusal(invitation, 'cancel', scope.now)
    if (refusal) return failed(refusal)
    const body = render(engine, scope, { ...invitation, status: stateAfter(invitationMachine, 'cancel') })
    return ok({ ...decideEnd(scope, invitation, 'cancel'), result: () => ({ status: 200, body }) })
  })
}
