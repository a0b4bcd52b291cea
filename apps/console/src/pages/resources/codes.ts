import { t } from '../../language/t.ts'
import { readable } from '../../parts/status.tsx'

type Words = Readonly<Record<string, string>>

/** What an agent may do. */
export const permissions: Words = {
  VIEW_TRANSACTIONS: t('View transactions'),
  CREATE_TRANSFERS: t('Create transfers'),
  CREATE_QUOTES: t('Create quotes'),
  EXECUTE_QUOTES: t('Execute quotes'),
  MANAGE_EXTERNAL_ACCOUNTS: t('Manage external accounts'),
}

export const cardForms: Words = { VIRTUAL: t('Virtual') }

/** Why a card is closed. */
export const cardReasons: Words = {
  ISSUER_REJECTED: t('Issuer rejected'),
  CLOSED_BY_PLATFORM: t('Closed by platform'),
  CLOSED_BY_GRID: t('Closed by the operator, or its holder was deleted'),
}

export const operations: Words = { MINT: t('Mint'), BURN: t('Burn') }

/** Where the money or the coins of a mint or burn come from, and by what its dollars go out. */
export const movements: Words = {
  WIRE: t('Wire'),
  ACH_DEBIT: t('ACH debit'),
  SAME_DAY_ACH_DEBIT: t('Same-day ACH debit'),
  ACH_CREDIT: t('ACH credit'),
  SAME_DAY_ACH_CREDIT: t('Same-day ACH credit'),
  RTP_CREDIT: t('RTP credit'),
  GRID_INTERNAL_ACCOUNT: t('An account here'),
  PROVIDER_INTERNAL_BALANCE: t('The balance at the provider'),
  EXTERNAL_ACCOUNT: t('An external account'),
}

/** How somebody signs in to a wallet. */
export const credentials: Words = {
  EMAIL_OTP: t('Code by e-mail'),
  SMS_OTP: t('Code by SMS'),
  PASSKEY: t('Passkey'),
  OAUTH: t('OAuth'),
}

/** The word for a code; one that is new to the console is made readable. */
export function wordOf(of: Words, code: string): string {
  return of[code] ?? readable(code)
}
