const label = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?'
const hostName = new RegExp(`^(?=.{1,253}$)(?:${label}\\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])$`)

/** Whether a lower-case text is a fully qualified host name: no port, no address, no dot at the end. */
export function isHostName(text: string): boolean {
  return hostName.test(text)
}

const ownMachine = /^localhost:[1-9][0-9]{0,4}$/

/**
 * Whether a lower-case text may be the domain of UMA addresses: a host name, or a port of this machine, for installations
 * that meet on it (cards 5.1). Production has the first kind only: it checks with `isHostName`, and its customers live in
 * the domain of their platform.
 */
export function isUmaDomain(text: string): boolean {
  return isHostName(text) || ownMachine.test(text)
}

/** Whether a lower-case domain is the installation's: the host at which it is reached, with its port or without, or below it. */
export function isDomainOfService(domain: string, baseUrl: string): boolean {
  const { host, hostname } = new URL(baseUrl)
  return [host, hostname].some((own) => domain === own || domain.endsWith(`.${own}`))
}
