import { assert, type Instant, ok } from '@corridor/kernel'
import { jobHandler } from '../../mechanisms/feature/bound.ts'
import { customerDeletedJob } from '../../people/customers/index.ts'
import type { Decision } from '../../vocabulary/decision.ts'
import { loadFundingSources } from '../card-funding/index.ts'
import { unnamed } from './card.ts'
import { confirmPull, expire, failPull } from './lifecycle.ts'
import { decideClose, decideProvisioned, provisionJob } from './rules.ts'
import { loadCard, loadCardTransaction, loadLiveCardsOf } from './store.ts'
import { loadHolder } from './transaction-commands.ts'
import { decideStep, expiryJob, openRefusal, pullCheck, pullJob } from './transaction-rules.ts'

const nothing: Decision = { result: () => null }

/** Orders a card and asks until the issuer has decided (cards 1.1). */
const provision = jobHandler<{ cardId: string }>({
  kind: provisionJob,
  async run(engine, scope, { cardId }) {
    const processor = engine.adapters[scope.environment].cards
    const card = await loadCard(engine.database, scope, cardId)
    if (!processor || card?.state !== 'PROCESSING') return ok(nothing)
    const outcome = await processor.provision(
      {
        cardId: card.id,
        cardholderId: card.cardholderId,
        ...(card.platformCardId === unnamed(card.id) ? {} : { platformCardId: card.platformCardId }),
        currency: card.currency,
        orderedAt: card.createdAt,
      },
      scope.now,
    )
    const sources = await loadFundingSources(engine.database, scope, cardId)
    return ok(decideProvisioned(scope, card, outcome, sources))
  },
})

/** What has become of the charges that were taken in good faith, one after the other (cards 1.6). */
const confirm = jobHandler<{ id: string }>({
  kind: pullJob,
  async run(engine, scope, { id }) {
    const processor = engine.adapters[scope.environment].cards
    const before = await loadCardTransaction(engine.database, scope, id)
    if (!processor || !before) return ok(nothing)
    const { merchant, holds } = before
    const merchantDescriptor = merchant.descriptor.trimEnd()
    const checkAt: Instant[] = []
    // What was released meanwhile needs no confirmation.
    for (const hold of holds) {
      const pull = { transactionId: id, merchantDescriptor, isFirst: hold.isFirst === true }
      const outcome = await processor.fetchPull(pull, hold.startedAt, scope.now)
      if (outcome.status === 'PENDING') {
        checkAt.push(outcome.checkAt)
        continue
      }
      const holder = await loadHolder(engine, scope, before, engine.world.id('Transaction'))
      const decide = outcome.status === 'CONFIRMED' ? confirmPull : failPull
      return ok(decideStep(scope, before, holder, decide(before, hold, scope.now)))
    }
    return ok({ jobs: checkAt.length > 0 ? [pullCheck(id, Math.min(...checkAt))] : [], result: () => null })
  },
})

/** Seven days after an authorization nothing more is claimed of it (cards 1.6). */
const expireAuthorization = jobHandler<{ id: string }>({
  kind: expiryJob,
  async run(engine, scope, { id }) {
    const before = await loadCardTransaction(engine.database, scope, id)
    assert(before, 'an authorization that expires is on record')
    if (openRefusal(before)) return ok(nothing)
    const holder = await loadHolder(engine, scope, before, engine.world.id('Transaction'))
    return ok(decideStep(scope, before, holder, expire(before, scope.now)))
  },
})

/** Closes the cards of a customer that was deleted, one after the other (cards 1.1). */
const closeOfHolder = jobHandler<{ customerId: string }>({
  kind: customerDeletedJob,
  async run(engine, scope, payload) {
    const [card, ...others] = await loadLiveCardsOf(engine.database, scope, payload.customerId)
    if (!card) return ok(nothing)
    const sources = await loadFundingSources(engine.database, scope, card.id)
    const next = others.length > 0 ? [{ kind: customerDeletedJob, payload }] : []
    return ok({ ...decideClose(scope, card, 'closeByOperator', 'CLOSED_BY_GRID', sources), jobs: next })
  },
})

export const cardJobs = [provision, confirm, expireAuthorization, closeOfHolder]
