import { agents, strongAuthentication, wallets } from './access.ts'
import { documented } from './documented.ts'
import { externalAccounts, internalAccounts, quotes, receivables, transfers, uma } from './money.ts'
import { customers, platforms, verification, webhookEvents } from './people.ts'
import { cards, faults, stablecoins } from './products.ts'
import { provokeRefusals } from './refusals.ts'
import { openStage, type Stage } from './stage.ts'

/**
 * What happens in the installation whose requests and answers are the examples of the published document. Each
 * chapter has platforms, randomness and a beginning of its own; the first exchange of an operation is its example.
 */
const chapters: Readonly<Record<string, (stage: Stage) => Promise<void>>> = {
  platforms,
  customers,
  verification,
  externalAccounts,
  internalAccounts,
  quotes,
  transfers,
  uma,
  cards,
  strongAuthentication,
  wallets,
  agents,
  stablecoins,
  faults,
  receivables,
  webhookEvents,
}

/** Plays all chapters; the same source gives the same bytes. */
export async function recordExamples() {
  const stage = await openStage()
  try {
    for (const [name, play] of Object.entries(chapters)) {
      stage.begin(name)
      await play(stage)
      await stage.server.settle()
    }
    await provokeRefusals(stage)
    return documented(stage.recorder.exchanges, await stage.events())
  } finally {
    await stage.server.close()
  }
}
