import type { IncomingMessage } from 'node:http'

/** RFC 9112, 3.2. Node joins nothing and keeps the first of several, so that a proxy may have read another one. */
export function problemOfHost({
  headers,
  rawHeaders,
  httpVersion,
  url = '/',
}: IncomingMessage): string | undefined {
  const { host } = headers
  if (host === undefined) return httpVersion === '1.1' ? 'the Host header is missing' : undefined
  const count = rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === 'host').length
  if (count > 1) return 'there is more than one Host header'
  const known = /[/?#@\\]/.test(host) ? undefined : hostOf(`http://${host}/`)
  if (known === undefined) return 'the Host header names no host'
  // The target of a request to a proxy names the host, too.
  const isOther = /^\w+:/.test(url) && hostOf(url) !== known
  return isOther ? 'the request target and the Host header name different hosts' : undefined
}

/** The host and port of an address without a user; undefined for other texts. */
function hostOf(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined
  const { host, username, pathname } = new URL(text)
  return username === '' && host !== '' && pathname.startsWith('/') ? host : undefined
}
