import { defineFeature } from '../../mechanisms/feature/define-feature.ts'
import type { Named } from '../../vocabulary/names.ts'
import type { PersonalData } from '../../vocabulary/personal-data.ts'
import { platformRoutes } from './routes.ts'

const tables = { guarded: ['platform_configs'], inserted: ['uma_domains'], deleted: ['uma_domains'] } as const

/** What the columns say about people. */
const personalData = {
  platform_configs: {
    plain: [
      'uma_domain',
      'webhook_endpoint',
      'supported_currencies',
      'fee_configs',
      'embedded_wallet_config',
      'card_tokenization_2fa_config',
      'collects_receivables',
    ],
  },
  uma_domains: { plain: ['domain', 'claim'] },
} as const satisfies PersonalData
const idKinds = ['PlatformConfig'] as const

declare module '../../vocabulary/names.ts' {
  interface GuardedTables extends Named<typeof tables.guarded> {}
  interface InsertedTables extends Named<typeof tables.inserted> {}
  interface DeletedTables extends Named<typeof tables.deleted> {}
}
declare module '@corridor/kernel' {
  interface IdKinds extends Named<typeof idKinds> {}
}

export const platformsFeature = defineFeature({
  name: 'platforms',
  routes: platformRoutes,
  tables,
  personalData,
  idKinds,
})
