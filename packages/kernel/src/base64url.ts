/** base64url without padding, whichever of the two alphabets of RFC 4648 a client used. */
export function base64url(text: string): string {
  return text
    .replace(/={1,2}$/, '')
    .replaceAll('+', '-')
    .replaceAll('/', '_')
}
