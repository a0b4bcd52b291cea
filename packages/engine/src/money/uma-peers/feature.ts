import { ok } from '@corridor/kernel'
import { route } from '../../mechanisms/feature/bound.ts'
import { defineFeature } from '../../mechanisms/feature/define-feature.ts'
import type { Named } from '../../vocabulary/names.ts'
import type { PersonalData } from '../../vocabulary/personal-data.ts'
import { tellingOfPeers } from './callbacks.ts'
import { listUmaPositions, settleUmaPosition } from './contract.ts'
import { listPositions, settlePosition } from './positions.ts'

const tables = { inserted: ['uma_keys', 'uma_nonces', 'uma_callbacks'] } as const

/** What the columns say about people. */
const personalData = {
  uma_keys: { plain: ['signing_public', 'encryption_public', 'sealed_part'] },
  uma_nonces: { plain: ['seen_at'] },
  uma_callbacks: { plain: ['peer_domain', 'expires_at'] },
} as const satisfies PersonalData

declare module '../../vocabulary/names.ts' {
  interface InsertedTables extends Named<typeof tables.inserted> {}
}

export const umaPeersFeature = defineFeature({
  name: 'uma-peers',
  routes: [
    route(listUmaPositions, async (engine) => ok({ status: 200, body: await listPositions(engine) })),
    route(settleUmaPosition, (engine, { scope, body }) => settlePosition(engine, scope.actor, body)),
  ],
  jobs: [tellingOfPeers],
  tables,
  personalData,
  ledgerAccounts: ['cpty', 'ln'],
})
