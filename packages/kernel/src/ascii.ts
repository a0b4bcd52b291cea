/**
 * The letters A to Z in the other case; everything else stays. Unicode maps some characters to ASCII letters (ﬁ to FI, ß to SS,
 * the Kelvin sign to k), so an identifier with one of them would be stored as another identifier.
 */
export function upperAscii(text: string): string {
  return text.replace(/[a-z]+/g, (letters) => letters.toUpperCase())
}

export function lowerAscii(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
}

/**
 * A one-time code as it was sent: people type its digits in groups and copy invisible characters with them. Every other text,
 * recovery codes included, stays as it is.
 */
export function typedCode(text: string): string {
  const digits = text.replace(/[\s\p{Cf}\p{Pd}]/gu, '')
  return /^\d{4,8}$/.test(digits) ? digits : text
}
