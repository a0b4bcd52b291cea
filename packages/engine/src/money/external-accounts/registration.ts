import { type FieldError, type Instant, toTimestamp } from '@corridor/kernel'
import { isEea } from '../../people/customers/index.ts'
import type { PlatformSettings } from '../../platform/platforms/index.ts'
import {
  type AccountInfo,
  type AccountType,
  acceptsCurrency,
  beneficiaryOf,
  type CheckContext,
  findAccountType,
  isRailed,
  type Strictness,
  textOf,
} from '../../reference/account-types/index.ts'
import { type Failure, fail, failFields } from '../../vocabulary/errors.ts'
import { bankNamesOf } from '../discoveries/index.ts'
import type { OwnershipType } from './contract.ts'

/** A creation request after normalisation, with everything that follows from it alone. */
export interface Registration {
  readonly type: AccountType
  readonly info: AccountInfo
  readonly currency: string
  readonly platformAccountId: string | undefined
  readonly ownershipType: OwnershipType | undefined
  readonly isDefaultUmaDepositAccount: boolean
}

/** Whom an account is registered for, as far as the rules ask. */
export interface Holder {
  /** A customer id, or `platformOwner`. */
  readonly ownerId: string
  readonly isPlatform: boolean
  /** Of a customer; the platform's own accounts have none. */
  readonly region: string | null
  readonly settings: Pick<PlatformSettings, 'counterpartyRules' | 'swiftCurrencies'>
  /** The platform's own stablecoins; they live on Spark. */
  readonly coins: readonly string[]
}

/** Whether the operator has put the platform under counterparty rules, or the customer's region does (accounts 4.2). */
export function isUnderCounterpartyRules({ settings, region }: Pick<Holder, 'settings' | 'region'>): boolean {
  return settings.counterpartyRules === true || isEea(region)
}

/** What a request says, cleaned (accounts 4.3). The schema has accepted it. */
export function readRegistration(request: {
  readonly currency: string
  readonly accountInfo: AccountInfo
  readonly platformAccountId?: string
  readonly ownershipType?: OwnershipType
  readonly defaultUmaDepositAccount?: boolean
}): Registration {
  const type = findAccountType(request.accountInfo.accountType)!
  const info = type.normalize(request.accountInfo)
  return {
    type,
    info,
    currency: request.currency,
    platformAccountId: request.platformAccountId ?? textOf(info, 'platformAccountId'),
    ownershipType: request.ownershipType,
    isDefaultUmaDepositAccount: request.defaultUmaDepositAccount ?? false,
  }
}

/**
 * What is wrong with the form of the account details (accounts 4.4, 4.5, 4.6). Bears any body: whatever
 * the schema refuses is left to the schema.
 */
export function checkAccountInfo(
  body: Readonly<Record<string, unknown>>,
  strictness: Strictness,
  now: Instant,
): readonly FieldError[] {
  const { accountInfo, currency } = body
  if (typeof accountInfo !== 'object' || accountInfo === null || Array.isArray(accountInfo)) return []
  const sent = accountInfo as AccountInfo
  const type = findAccountType(sent.accountType)
  return type ? type.check(type.normalize(sent), contextOf(currency, strictness, now)).shape : []
}

/** Check digits, checksums and directories, which only FULL asks about: INVALID_BANK_ACCOUNT (accounts 4.4). */
function checkBank(registration: Registration, strictness: Strictness, now: Instant): readonly FieldError[] {
  const { type, info, currency } = registration
  return type.check(info, contextOf(currency, strictness, now)).bank
}

function contextOf(currency: unknown, strictness: Strictness, now: Instant): CheckContext {
  const bankNames = typeof currency === 'string' ? bankNamesOf(currency) : undefined
  return { strictness, now, today: toTimestamp(now).slice(0, 10), ...(bankNames ? { bankNames } : {}) }
}

/** Why a registration is refused before anybody outside is asked, or undefined (accounts 4.5, 4.6, 4.8). */
export function registrationRefusal({
  registration,
  holder,
  strictness,
  vaspNames,
  now,
}: {
  readonly registration: Registration
  readonly holder: Holder
  readonly strictness: Strictness
  /** Custodians that a hosted wallet may name under FULL. */
  readonly vaspNames: readonly string[]
  readonly now: Instant
}): Failure | undefined {
  const { type, currency, isDefaultUmaDepositAccount, info } = registration
  const errors: FieldError[] = isUnderCounterpartyRules(holder) ? counterpartyErrors(registration) : []
  if (isDefaultUmaDepositAccount) errors.push(...defaultErrors(registration, holder))
  const vaspName = textOf(info, 'vaspName')
  if (strictness === 'FULL' && vaspName !== undefined && !vaspNames.includes(vaspName)) {
    errors.push({ field: 'accountInfo.vaspName', message: 'is not in the directory of custodians' })
  }
  if (errors.length > 0) return failFields(errors)

  const { swiftCurrencies = [] } = holder.settings
  const coins = type.network === 'SPARK' ? holder.coins : []
  if (!acceptsCurrency(type, currency, swiftCurrencies) && !coins.includes(currency)) {
    const supported = [...type.currencies, ...(type.isCurrencyConfigurable ? swiftCurrencies : []), ...coins]
    return fail('INVALID_CURRENCY', { field: 'currency', currency, supported })
  }
  const bank = checkBank(registration, strictness, now)
  return bank.length > 0 ? failFields(bank, 'INVALID_BANK_ACCOUNT') : undefined
}

/** Under counterparty rules a wallet says whose it is, and a stranger's says who that is (accounts 4.6). */
function counterpartyErrors({ type, info, ownershipType }: Registration): FieldError[] {
  if (type.kind !== 'WALLET') return []
  if (ownershipType === undefined && type.isSelfCustody(info)) {
    return [{ field: 'ownershipType', message: 'is required for a self-custody wallet' }]
  }
  if (ownershipType === 'THIRD_PARTY' && !beneficiaryOf(info)) {
    return [{ field: 'accountInfo.beneficiary', message: 'is required for the wallet of a third party' }]
  }
  return []
}

/** Deposits go on to bank accounts and wallets of customers; an invoice could be paid only once (accounts 4.8). */
function defaultErrors({ type }: Registration, { isPlatform }: Holder): FieldError[] {
  const field = 'defaultUmaDepositAccount'
  if (isPlatform) return [{ field, message: 'is only for accounts of customers' }]
  if (type.kind === 'LIGHTNING') return [{ field, message: 'is only for bank accounts and wallets' }]
  return []
}

/** The name that the institution behind the account is asked about; undefined where nobody can be asked. */
export function nameToVerify({ type, info }: Registration): string | undefined {
  if (!isRailed(type.kind)) return undefined
  const beneficiary = beneficiaryOf(info)
  if (!beneficiary) return undefined
  return textOf(beneficiary, 'fullName') ?? textOf(beneficiary, 'legalName')
}
