import { assert } from '@corridor/kernel'
import type { AccountInfo, AccountType } from './account-type.ts'
import { bangladesh } from './bangladesh.ts'
import { base } from './base.ts'
import { botswana } from './botswana.ts'
import { brazil } from './brazil.ts'
import { canada } from './canada.ts'
import { centralAfrica } from './central-africa.ts'
import { china } from './china.ts'
import { colombia } from './colombia.ts'
import type { DefinedAccountType } from './define.ts'
import { denmark } from './denmark.ts'
import { egypt } from './egypt.ts'
import { elSalvador } from './el-salvador.ts'
import { ethereum } from './ethereum.ts'
import { euroArea } from './euro-area.ts'
import { ghana } from './ghana.ts'
import { guatemala } from './guatemala.ts'
import { haiti } from './haiti.ts'
import { hongKong } from './hong-kong.ts'
import { india } from './india.ts'
import { indonesia } from './indonesia.ts'
import { israel } from './israel.ts'
import { jamaica } from './jamaica.ts'
import { kenya } from './kenya.ts'
import { lightning } from './lightning.ts'
import { malawi } from './malawi.ts'
import { malaysia } from './malaysia.ts'
import { mexico } from './mexico.ts'
import { namesOf } from './names.ts'
import { nigeria } from './nigeria.ts'
import { pakistan } from './pakistan.ts'
import { philippines } from './philippines.ts'
import { plasma } from './plasma.ts'
import { polygon } from './polygon.ts'
import { rwanda } from './rwanda.ts'
import { singapore } from './singapore.ts'
import { solana } from './solana.ts'
import { southAfrica } from './south-africa.ts'
import { spark } from './spark.ts'
import { swift } from './swift.ts'
import { tanzania } from './tanzania.ts'
import { thailand } from './thailand.ts'
import { tron } from './tron.ts'
import { uganda } from './uganda.ts'
import { unitedArabEmirates } from './united-arab-emirates.ts'
import { unitedKingdom } from './united-kingdom.ts'
import { unitedStates } from './united-states.ts'
import { vietnam } from './vietnam.ts'
import { westAfrica } from './west-africa.ts'
import { zambia } from './zambia.ts'

/** Every account type there is. A new one is one file and one line here. */
const defined: readonly DefinedAccountType[] = [
  base,
  bangladesh,
  botswana,
  brazil,
  canada,
  centralAfrica,
  china,
  colombia,
  denmark,
  egypt,
  elSalvador,
  ethereum,
  euroArea,
  ghana,
  guatemala,
  haiti,
  hongKong,
  india,
  indonesia,
  israel,
  jamaica,
  kenya,
  lightning,
  malawi,
  malaysia,
  mexico,
  nigeria,
  pakistan,
  philippines,
  plasma,
  polygon,
  rwanda,
  singapore,
  solana,
  southAfrica,
  spark,
  swift,
  tanzania,
  thailand,
  tron,
  uganda,
  unitedArabEmirates,
  unitedKingdom,
  unitedStates,
  vietnam,
  westAfrica,
  zambia,
]

/** The discriminators of the published document. */
export const discriminators = namesOf(defined)

export const accountTypes: readonly AccountType[] = defined.map((type) => ({
  ...type,
  schemas: type.schemas(discriminators),
}))

/** Every value of `accountType` a request may carry, aliases included; what a refusal lists. */
export const accountTypeNames: readonly string[] = accountTypes.flatMap(({ name, aliases }) => [
  name,
  ...aliases,
])

const byName: ReadonlyMap<string, AccountType> = new Map(
  accountTypes.flatMap((type) => [type.name, ...type.aliases].map((name) => [name, type] as const)),
)

/** The type that a name or an alias means. */
export function findAccountType(name: string): AccountType | undefined {
  return byName.get(name)
}

/** The type of a stored account, whose name was checked when it was created. */
export function accountTypeOf(info: AccountInfo): AccountType {
  const type = byName.get(info.accountType)
  assert(type, `stored account of unknown type ${info.accountType}`)
  return type
}

/** The types that can hold a currency. */
export function accountTypesFor(currency: string): readonly AccountType[] {
  return accountTypes.filter(({ currencies }) => currencies.includes(currency))
}

/**
 * Whether an account of this type may be in a currency (accounts 4.5); otherwise the caller answers
 * `INVALID_CURRENCY`. `enabledCurrencies` are the operator's further currencies for types that leave the
 * choice open.
 */
export function acceptsCurrency(
  type: AccountType,
  currency: string,
  enabledCurrencies: readonly string[] = [],
): boolean {
  return (
    type.currencies.includes(currency) ||
    (type.isCurrencyConfigurable && enabledCurrencies.includes(currency))
  )
}
