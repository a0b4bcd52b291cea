/**
 * Countries of the SEPA schemes by the country code of their IBANs. Source: European Payments Council, "EPC List of SEPA Scheme
 * Countries" (EPC409-09), checked on 2026-11-27 against its announcements: 41 countries since Serbia joined in May 2025. Gibraltar
 * (GI) takes part with the United Kingdom and has IBANs of its own. Other territories use the IBANs of their country: FR, FI, ES, PT, GB.
 */
export const sepaCountries: readonly string[] = [
  // European Economic Area
  ...['AT', 'BE', 'BG', 'HR', 'CY', 'CZ', 'DE', 'EE', 'ES', 'FI', 'FR', 'GR', 'HU', 'IE', 'IS', 'IT', 'LI'],
  ...['LT', 'LU', 'LV', 'MT', 'NL', 'NO', 'PL', 'PT', 'RO', 'SE', 'SI', 'SK', 'DK'],
  // others
  ...['AD', 'AL', 'CH', 'GB', 'GI', 'MC', 'MD', 'ME', 'MK', 'RS', 'SM', 'VA'],
]

/** Whether banks there can be sent euro over SEPA. */
export function isSepaCountry(country: string): boolean {
  return sepaCountries.includes(country)
}
