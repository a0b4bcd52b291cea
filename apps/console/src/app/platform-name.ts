/** Addresses below `/console` that are no platform's. */
const taken: ReadonlySet<string> = new Set(['api', 'assets', 'go', 'operator', 'session'])
/** What an id looks like is one. */
const idForm = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/**
 * A platform's name as it stands in addresses, titles and the header. It is the name that an operator gave it: what a platform can
 * change itself, as its UMA domain, would let it look like another one. Undefined: its id has to do.
 */
export function addressNameOf(name: string): string | undefined {
  const label = name
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '')
  return label === '' || taken.has(label) || idForm.test(label) ? undefined : label
}
