import type { Engine } from '../../mechanisms/feature/engine.ts'
import { loadConfig, loadPlatform } from '../../platform/platforms/index.ts'
import type { Book } from '../../vocabulary/scope.ts'

/** Whose passkeys a platform's customers make, and on which pages (customers 13.3). */
export interface PasskeyTerms {
  /** The id of the relying party. */
  readonly id: string
  readonly name: string
  readonly origins: readonly string[]
}

/** Where the operator has said nothing. */
const defaults = { relyingPartyId: 'app.example.com', origins: ['https://app.example.com'] }

export async function relyingPartyOf(engine: Engine, book: Book): Promise<PasskeyTerms> {
  const [{ settings }, platform] = await Promise.all([
    loadConfig(engine.database, book),
    loadPlatform(engine.database, book),
  ])
  const { relyingPartyId, origins } = settings.passkeys ?? defaults
  return { id: relyingPartyId, name: platform.name, origins }
}
