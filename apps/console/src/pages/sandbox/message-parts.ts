import { t } from '../../language/t.ts'

/** What people take out of a message: its code and its link. */

/** `Your code is 123456.` and `123456 is your code …`, `123456 authorizes …`. */
const codeForm = /\bcode is ([0-9A-Za-z]{4,12})\b|^([0-9A-Za-z]{4,12}) (?:is your code|authorizes)\b/
const linkForm = /\bhttps?:\/\/[^\s<>"]{1,2000}/

/** The code that its reader types in, if it has one. */
export function codeIn(text: string | undefined): string | undefined {
  const match = codeForm.exec(text ?? '')
  return match?.[1] ?? match?.[2]
}

const stops: ReadonlySet<string> = new Set('.,;:!?)')

/** The first link, without the stop that ends its sentence. */
export function linkIn(text: string | undefined): string | undefined {
  const link = linkForm.exec(text ?? '')?.[0]
  if (link === undefined) return undefined
  let end = link.length
  while (stops.has(link[end - 1]!)) end--
  return link.slice(0, end)
}

/** What messages are about, as a person would say it. */
export const purposes: Readonly<Record<string, string>> = {
  CONTACT_VERIFICATION: t('Proves an address'),
  STRONG_AUTHENTICATION: t('Strong authentication'),
  WALLET_SIGN_IN: t('Sign-in of a wallet'),
}
