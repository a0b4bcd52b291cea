import { defineFeature } from '../../mechanisms/feature/define-feature.ts'
import type { Named } from '../../vocabulary/names.ts'
import type { PersonalData } from '../../vocabulary/personal-data.ts'

const tables = { guarded: ['card_funding_sources'] } as const

/** What the columns say about people. */
const personalData = {
  card_funding_sources: { plain: ['card_id', 'account_id', 'status'] },
} as const satisfies PersonalData
const idKinds = ['CardFundingSource'] as const

declare module '../../vocabulary/names.ts' {
  interface GuardedTables extends Named<typeof tables.guarded> {}
}
declare module '@corridor/kernel' {
  interface IdKinds extends Named<typeof idKinds> {}
}

export const cardFundingFeature = defineFeature({ name: 'card-funding', tables, personalData, idKinds })
