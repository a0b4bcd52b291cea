import { t } from '../../language/t.ts'

/** The fields of all kinds of accounts and wallets that money is sent to. */
const names: Readonly<Record<string, string>> = {
  accountCategory: t('Account category'),
  accountHolderName: t('Account holder name'),
  accountNumber: t('Account number'),
  accountType: t('Account type'),
  address: t('Address'),
  assetType: t('Asset type'),
  bankAccountType: t('Bank account type'),
  bankAddress: t('Bank address'),
  bankCode: t('Bank code'),
  bankName: t('Bank name'),
  beneficiaryName: t('Beneficiary name'),
  branchCode: t('Branch code'),
  clabeNumber: t('CLABE number'),
  country: t('Country'),
  fiToFiInformation: t('FI to FI information'),
  iban: t('IBAN'),
  ifsc: t('IFSC'),
  intermediaryBankName: t('Intermediary bank name'),
  intermediaryRoutingNumber: t('Intermediary routing number'),
  invoice: t('Invoice'),
  network: t('Network'),
  payloadToSign: t('Payload to sign'),
  paymentRails: t('Payment rails'),
  paymentUrl: t('Payment URL'),
  phoneNumber: t('Phone number'),
  provider: t('Provider'),
  qrCode: t('QR code'),
  rail: t('Rail'),
  reference: t('Reference'),
  region: t('Region'),
  routingNumber: t('Routing number'),
  sortCode: t('Sort code'),
  swiftCode: t('SWIFT code'),
  valueType: t('Coin sent'),
  vpa: t('VPA'),
}

/** Each text of the coordinates with its name in words; what lies deeper is named after what it lies in. */
export function rowsOf(info: object, inside = ''): readonly (readonly [name: string, value: string])[] {
  return Object.entries(info).flatMap(([field, value]: [string, unknown]) => {
    const name = `${inside} ${names[field] ?? field}`.trim()
    if (value === null || value === undefined) return []
    if (Array.isArray(value)) return [[name, value.map(String).join(', ')] as const]
    return typeof value === 'object' ? rowsOf(value, name) : [[name, String(value)] as const]
  })
}
