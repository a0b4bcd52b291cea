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
