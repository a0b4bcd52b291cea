import { defineFeature } from '../../mechanisms/feature/define-feature.ts'
import type { Named } from '../../vocabulary/names.ts'
import type { PersonalData } from '../../vocabulary/personal-data.ts'
import { statement } from '../../vocabulary/statement.ts'
import { authMethodMachine, otpMachine, walletSessionMachine } from './machine.ts'

const tables = {
  guarded: ['auth_methods', 'wallet_sessions'],
  inserted: ['passkey_registrations', 'wallet_secrets'],
} as const

/** What the columns say about people. */
const personalData = {
  auth_methods: {
    erased: ['owner_id', 'content', 'identity_hash', 'otp', 'otp_target', 'attempts'],
    plain: ['account_id', 'type', 'status'],
  },
  wallet_sessions: {
    erased: ['owner_id', 'credential_id', 'public_key'],
    plain: ['account_id', 'status', 'expires_at'],
  },
  passkey_registrations: { erased: ['owner_id'] },
  wallet_secrets: { erased: ['owner_id', 'mnemonic'] },
} as const satisfies PersonalData
const idKinds = ['AuthMethod', 'Session'] as const

declare module '../../vocabulary/names.ts' {
  interface GuardedTables extends Named<typeof tables.guarded> {}
  interface InsertedTables extends Named<typeof tables.inserted> {}
}
declare module '@corridor/kernel' {
  interface IdKinds extends Named<typeof idKinds> {}
}

const forget = (table: string) =>
  statement(
    `erasure.${table}`,
    `delete from ${table} where platform_id = $1 and environment = $2 and owner_id = $3`,
  )

export const walletCredentialsFeature = defineFeature({
  name: 'wallet-credentials',
  machines: [authMethodMachine, otpMachine, walletSessionMachine],
  tables,
  personalData,
  idKinds,
  erasure: [...tables.guarded, ...tables.inserted].map(forget),
})
