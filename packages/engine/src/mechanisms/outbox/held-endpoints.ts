/**
 * Whether an endpoint is one of those that nothing is sent to. It is the same however it is written: what reaches its server
 * counts, and neither the case of a host, its last dot nor a default port does, nor what stands after `#`.
 */
export function isHeld(heldEndpoints: readonly string[], endpoint: string | null): boolean {
  if (endpoint === null || heldEndpoints.length === 0) return false
  const address = addressOf(endpoint)
  return heldEndpoints.some((held) => addressOf(held) === address)
}

function addressOf(endpoint: string): string {
  if (!URL.canParse(endpoint)) return endpoint
  const url = new URL(endpoint)
  url.hash = ''
  url.hostname = url.hostname.replace(/\.$/, '')
  return url.href
}
