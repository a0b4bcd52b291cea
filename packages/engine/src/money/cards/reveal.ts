import type { Engine } from '../../mechanisms/feature/engine.ts'
import { findReveal, loadCard } from './store.ts'

/** What is printed on a card; it is asked of the processor, handed on, and kept nowhere. */
export interface RevealedCard {
  readonly number: string
  readonly securityCode: string
  readonly expMonth: number
  readonly expYear: number
}

/** 256 random bits in base64url. */
const tokenLength = 43

/** The card behind the address of a reveal, or undefined where the address leads nowhere any more (cards 1.4). */
export async function openReveal(engine: Engine, token: string): Promise<RevealedCard | undefined> {
  if (token.length !== tokenLength) return undefined
  const reveal = await findReveal(engine.database, engine.keys.hashSecret(token))
  if (!reveal) return undefined
  const processor = engine.adapters[reveal.environment].cards
  const card = await loadCard(engine.database, reveal, reveal.cardId)
  const isOver = (await engine.clock.now(reveal)) >= reveal.expiresAt
  if (!processor || !card?.last4 || card.state === 'CLOSED' || isOver) return undefined
  const { id, last4 } = card
  const expMonth = card.expMonth!
  const expYear = card.expYear!
  const { number, securityCode } = await processor.reveal({ cardId: id, last4, expMonth, expYear })
  return { number, securityCode, expMonth, expYear }
}
