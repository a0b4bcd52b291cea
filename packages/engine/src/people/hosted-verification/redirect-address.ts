import type { BodyCheck } from '../../mechanisms/feature/bound.ts'

const localHosts = new Set(['localhost', '127.0.0.1', '[::1]'])

/** Where people are sent when they are finished: https, or http on their own machine (customers 8). */
export const checkRedirect: BodyCheck = (_engine, _scope, { redirectUri }) => {
  if (typeof redirectUri !== 'string' || !URL.canParse(redirectUri)) {
    return redirectUri === undefined ? [] : [{ field: 'redirectUri', message: 'is not an absolute URL' }]
  }
  const { protocol, hostname } = new URL(redirectUri)
  const isAllowed = protocol === 'https:' || (protocol === 'http:' && localHosts.has(hostname))
  return isAllowed ? [] : [{ field: 'redirectUri', message: 'is not an https address' }]
}
