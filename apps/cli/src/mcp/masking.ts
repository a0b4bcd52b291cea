/** Masks values in tool results that an agent does not need. An agent may pass on everything it reads. */

/** Fields with secrets, account numbers or document numbers, and fields with URLs that grant access to anyone who has them. */
const secretNames =
  /secret|password|privateKey|signingKey|walletCredentials|recoveryCodes|taxId|identifier$|documentNumber|ssn|passport|^pan$|panEmbedUrl|kycUrl|verificationLink|totpUri|cvv|token$|bundle|accountNumber|iban|clabe|^pixKey$|^vpa$|^lightningAddress$/i

/** Objects whose `code` is a secret; elsewhere it is the code of a currency or an error. */
const secretCodes = new Set(['deviceCode'])

/** The account data of a response. There the phone number is the account number of mobile money. */
const accountObjects = /^account(OrWallet)?Info$/

/** Texts that hold JSON, in which the same names mean the same. */
const documents = new Set(['body', 'answer', 'lastAnswer', 'response_body'])

/** A part of this length cannot be guessed. */
const shortestToken = 20

/** A value as an agent may see it. `name` is its own, `parent` that of the object around it. */
export function masked(value: unknown, name = '', parent = ''): unknown {
  if (typeof value === 'string') return maskedText(value, name, parent)
  if (Array.isArray(value)) return value.map((each) => masked(each, name, parent))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, masked(inner, key, name)]))
}

/** True if the field is always masked. */
export function isMasked(name: string, parent = ''): boolean {
  if (name === 'phoneNumber') return accountObjects.test(parent)
  return secretNames.test(name) || (name === 'code' && secretCodes.has(parent))
}

function maskedText(text: string, name: string, parent: string): string {
  const address = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) && URL.canParse(text) ? new URL(text) : undefined
  // The host says whose page it is; what follows may open it. That of a fork ends with the name that its user gave it.
  if (address && (isMasked(name, parent) || (name !== 'baseUrl' && carriesToken(address)))) {
    return `${address.protocol}//${address.host}/…`
  }
  if (name === 'code' && isMasked(name, parent)) return '…'
  if (isMasked(name, parent)) return `…${text.slice(-4)}`
  return documents.has(name) ? maskedDocument(text) : text
}

/** True if a part of the URL looks like a token: long, with letters and digits. */
function carriesToken({ username, password, pathname, search, hash }: URL): boolean {
  if (username || password) return true
  return `${pathname}${search}${hash}`
    .split(/[/?&=#;:,]/)
    .some((part) => part.length >= shortestToken && /[0-9]/.test(part) && /[a-z]/i.test(part))
}

function maskedDocument(text: string): string {
  try {
    const inner: unknown = JSON.parse(text)
    return typeof inner === 'object' ? JSON.stringify(masked(inner)) : text
  } catch {
    return text
  }
}
