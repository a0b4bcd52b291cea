import { countries } from '@corridor/engine/people/customers/index.ts'

/** Words for people, in place of the values of the API. */

const special: Readonly<Record<string, string>> = {
  LLC: 'Limited liability company (LLC)',
  S_CORPORATION: 'S corporation',
  NON_PROFIT: 'Non-profit',
  DRIVERS_LICENSE: 'Driving licence',
  NATIONAL_ID: 'National identity card',
  UBO: 'Owner (25% or more, or beneficial owner)',
  SSN: 'Social security number (SSN)',
  ITIN: 'Individual taxpayer identification number (ITIN)',
  EIN: 'Employer identification number (EIN)',
  NON_US_TAX_ID: 'Tax number of another country',
  CROSS_BORDER_B2B: 'Cross-border payments between businesses',
  AR_AUTOMATION: 'Collecting from customers',
  AP_AUTOMATION: 'Paying bills',
  P2P_TRANSFERS: 'Transfers between people',
  COUNT_UNDER_10: 'Fewer than 10',
  COUNT_10_TO_100: '10 to 100',
  COUNT_100_TO_500: '100 to 500',
  COUNT_500_TO_1000: '500 to 1,000',
  COUNT_OVER_1000: 'More than 1,000',
  VOLUME_UNDER_10K: 'Less than $10,000',
  VOLUME_10K_TO_100K: '$10,000 to $100,000',
  VOLUME_100K_TO_1M: '$100,000 to $1 million',
  VOLUME_1M_TO_10M: '$1 million to $10 million',
  VOLUME_OVER_10M: 'More than $10 million',
}

/** `MARKETPLACE_SELLER_PAYOUTS` → `Marketplace seller payouts`. */
export function labelOf(value: string): string {
  const words = value.toLowerCase().replaceAll('_', ' ')
  return special[value] ?? words.charAt(0).toUpperCase() + words.slice(1)
}

const regionNames = new Intl.DisplayNames(['en'], { type: 'region' })

export function countryName(code: string): string {
  return regionNames.of(code) ?? code
}

/** All countries by name. */
export const countryOptions: readonly (readonly [code: string, name: string])[] = [...countries]
  .map((code) => [code, countryName(code)] as const)
  .sort(([, a], [, b]) => a.localeCompare(b, 'en'))
