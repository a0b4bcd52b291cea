import type { Engine } from '../../mechanisms/feature/engine.ts'
import type { FundingSources } from '../../ports/funding-sources.ts'
import { loadFundingSource } from './store.ts'

/** What delegated keys learn of the accounts that fund cards (wallets 9.2). */
export const cardFundingSources: FundingSources<Engine> = {
  async load({ database }, book, pair) {
    const source = await loadFundingSource(database, book, pair)
    if (!source) return undefined
    const { id, status } = source
    return { id, status, stays: { table: 'card_funding_sources', id, from: ['ACTIVE'] } }
  },
}
