import { defineFeature } from '../../mechanisms/feature/define-feature.ts'
import type { Named } from '../../vocabulary/names.ts'

const tables = { guarded: ['card_funding_sources'] } as const
const idKinds = ['CardFundingSource'] as const

declare module '../../vocabulary/names.ts' {
  interface GuardedTables extends Named<typeof tables.guarded> {}
}
declare module '@corridor/kernel' {
  interface IdKinds extends Named<typeof idKinds> {}
}

export const cardFundingFeature = defineFeature({ name: 'card-funding', tables, idKinds })
