import { failed, ok, type Result } from '@corridor/kernel'
import { commit } from '../../mechanisms/db/apply.ts'
import type { Engine } from '../../mechanisms/feature/engine.ts'
import { loadCustomer } from '../../people/customers/index.ts'
import { loadInternalAccounts } from '../../platform/internal-accounts/index.ts'
import { loadConfig } from '../../platform/platforms/index.ts'
import type { CardProcessor } from '../../ports/card-processor.ts'
import { type Failure, fail } from '../../vocabulary/errors.ts'
import type { Reply } from '../../vocabulary/operation.ts'
import type { Actor, Scope } from '../../vocabulary/scope.ts'
import { loadFundingSources } from '../card-funding/index.ts'
import { unnamed } from './card.ts'
import type { CardCreateRequest, CardUpdateRequest } from './card-schemas.ts'
import { renderCard } from './render.ts'
import { decideClose, decideIssue, decideReveal, decideUpdate } from './rules.ts'
import { cardList, findBookOf, loadCard } from './store.ts'

/** The processor of this environment; NOT_IMPLEMENTED where the installation has none (cards 1.2, check 1). */
export function requireProcessor(engine: Engine, scope: Scope): Result<CardProcessor, Failure> {
  const { cards } = engine.adapters[scope.environment]
  return cards ? ok(cards) : failed(fail('NOT_IMPLEMENTED', { reason: 'NO_CARD_ISSUER' }))
}

export function cardNotFound(id: string): Failure {
  return fail('REFERENCE_NOT_FOUND', { resourceType: 'Card', id })
}

export async function issueCard(
  engine: Engine,
  scope: Scope,
  request: CardCreateRequest,
): Promise<Result<Reply, Failure>> {
  const { database, world } = engine
  const processor = requireProcessor(engine, scope)
  if (!processor.ok) return processor
  const id = world.id('Card')
  const platformCardId = request.platformCardId ?? unnamed(id)
  return commit(engine.applier, scope, async () => {
    const [customer, accounts, { settings }, named] = await Promise.all([
      loadCustomer(engine, scope, request.cardholderId),
      loadInternalAccounts(database, scope, request.fundingSources),
      loadConfig(database, scope),
      cardList.read(database, scope, { platformCardId: [platformCardId] }, {
        limit: 1,
        sortOrder: 'asc',
        after: undefined,
      } as never),
    ])
    return decideIssue(scope, request, {
      customer,
      accounts,
      screenAccount: processor.value.screenAccount,
      isNameTaken: named.rows.length > 0,
      maxLiveCards: settings.maxLiveCards ?? engine.adapters[scope.environment].rules.maxLiveCards,
      isOnePerHolder: settings.oneCardPerCardholder ?? false,
      id,
      platformCardId,
      newSourceId: () => world.id('CardFundingSource'),
    })
  })
}

export async function updateCard(
  engine: Engine,
  scope: Scope,
  id: string,
  request: CardUpdateRequest,
): Promise<Result<Reply, Failure>> {
  const { database, world } = engine
  const processor = requireProcessor(engine, scope)
  if (!processor.ok) return processor
  return commit(engine.applier, scope, async () => {
    const card = await loadCard(database, scope, id)
    if (!card) return failed(cardNotFound(id))
    const [accounts, sources] = await Promise.all([
      loadInternalAccounts(database, scope, request.fundingSources ?? []),
      loadFundingSources(database, scope, id),
    ])
    return decideUpdate(scope, card, request, {
      accounts,
      sources,
      screenAccount: processor.value.screenAccount,
      newSourceId: () => world.id('CardFundingSource'),
    })
  })
}

/** The operator ends a card for good: risk or compliance (cards 1.1). */
export async function closeByOperator(
  engine: Engine,
  actor: Actor,
  id: string,
): Promise<Result<Reply, Failure>> {
  const book = await findBookOf(engine.database, 'CARD', id)
  if (!book) return failed(cardNotFound(id))
  const scope = await engine.clock.scope(book, actor)
  return commit<Reply>(engine.applier, scope, async () => {
    const card = await loadCard(engine.database, scope, id)
    if (!card) return failed(cardNotFound(id))
    if (card.state === 'CLOSED') return failed(fail('CARD_ALREADY_CLOSED'))
    const sources = await loadFundingSources(engine.database, scope, id)
    return ok(decideClose(scope, card, 'closeByOperator', 'CLOSED_BY_GRID', sources))
  })
}

const tokenBytes = 32

/** An address that shows the number of a card; the token in it is nowhere but there (cards 1.4). */
export async function revealCard(
  engine: Engine,
  scope: Scope,
  id: string,
  source: string,
): Promise<Result<Reply, Failure>> {
  const { world, keys, settings } = engine
  const processor = requireProcessor(engine, scope)
  if (!processor.ok) return processor
  const token = Buffer.from(world.randomBytes(tokenBytes)).toString('base64url')
  const reveal = {
    id: world.uuid(),
    tokenHash: keys.hashSecret(token),
    address: `${settings.baseUrl}/cards/${token}`,
    source,
    perMinute: settings.rateLimits.cardRevealsPerMinute,
  }
  return commit(engine.applier, scope, async () => {
    const card = await loadCard(engine.database, scope, id)
    return card ? decideReveal(scope, card, reveal) : failed(cardNotFound(id))
  })
}

export async function readCard(engine: Engine, scope: Scope, id: string): Promise<Result<Reply, Failure>> {
  const processor = requireProcessor(engine, scope)
  if (!processor.ok) return processor
  const card = await loadCard(engine.database, scope, id)
  return card ? ok({ status: 200, body: renderCard(card) }) : failed(cardNotFound(id))
}
