import { textOf } from '../../parts/facts.tsx'
import type { Account } from './accounts-page.tsx'

/** An account in a choice: whose it is and how much there is may be the same of two, so the end of its id stands behind. */
export const accountChoice = (owner: string, { id, balance }: Pick<Account, 'id' | 'balance'>) =>
  `${owner} · ${textOf(balance)} · …${id.slice(-6)}`
