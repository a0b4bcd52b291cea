/** What a text has to look like, said to people; the pattern itself goes with the error as its constraint. */
export function patternInWords(pattern: string): string {
  const known = words[pattern]
  if (known !== undefined) return known
  const kinds = idForm.exec(pattern)?.[1]
  if (kinds !== undefined) return `must be an id that begins with ${kinds.split('|').join(': or ')}:`
  return 'does not have the required form'
}

const uuid = '[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}'

/** The pattern of the ids of one kind or of several (vocabulary/shapes.ts). */
const idForm = /^\^\(?([A-Za-z|]+)\)?:\[0-9a-f\]/

const words: Readonly<Record<string, string>> = {
  [`^${uuid}$`]: 'must be a UUID in lower case',
  [`^((InternalAccount|ExternalAccount):${uuid}|\\$[^@\\s]{1,64}@[^@\\s]{1,255})$`]:
    'must be the id of an internal or external account, or a UMA address',
  '^[\\x21-\\x7e]+$': 'must be printable ASCII without blanks',
  '\\S': 'must not be blank',
  '^\\+[1-9]\\d{1,14}$': 'must be a phone number with its country code, like +14155551234',
  '^[A-Za-z]{2}$': 'must be a country code of two letters (ISO 3166-1 alpha-2)',
  '^[A-Z]{2}$': 'must be a country code of two capital letters (ISO 3166-1 alpha-2)',
  '^[A-Za-z]{3}$': 'must be a currency code of three letters (ISO 4217)',
  '^\\d{2,6}$': 'must be 2 to 6 digits',
  '^[0-9]{4}$': 'must be four digits',
  '^(0|[1-5][0-9]{2})$': 'must be an HTTP status, like 404, or 0 for no response',
  '^[0-9]+$': 'must be digits only',
  '^[A-Za-z0-9_-]{43}$': 'must be 43 characters of base64url',
  '^[A-Za-z0-9_-]{1,800}\\.[A-Za-z0-9_-]{1,100}$': 'must be the part of a console link after #t=',
  '^[1-9][0-9]{0,17}$': 'must be a positive integer of up to 18 digits',
  '^[a-z0-9-]{1,40}$': 'must be 1 to 40 lower-case letters, digits or -',
  '^[A-Za-z0-9._-]{1,64}$': 'must be 1 to 64 letters, digits, or . _ -',
  '^[A-Za-z0-9._-]+$': 'must contain only letters, digits, and . _ -',
  '^-?(0|[1-9][0-9]*)$': 'must be an integer',
  '^https://': 'must start with https://',
  '^(0[23][0-9a-fA-F]{64}|04[0-9a-fA-F]{128})$':
    'must be a P-256 public key in hex: compressed (66 characters) or uncompressed (130)',
  '^[a-z0-9]([a-z0-9.-]{0,250}[a-z0-9])?(:[1-9][0-9]{0,4})?$':
    'must be a host name in lower case, with or without a port',
}
