const label = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?'
const hostName = new RegExp(`^(?=.{1,253}$)(?:${label}\\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])$`)

/** Whether a lower-case text is a fully qualified host name: no port, no address, no dot at the end. */
export function isHostName(text: string): boolean {
  return hostName.test(text)
}
