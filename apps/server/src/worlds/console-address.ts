const address = /^(\/console\/api\/[0-9a-f-]{36}\/sandbox)@([a-z0-9-]{1,40})(\/.*)$/

/**
 * The fork that a request of the console is for, `/console/api/{platformId}/sandbox@{fork}/…`, and its address there, which is that of the
 * console in the main world. Undefined: for no fork. Nothing of production is in one.
 */
export function forkOfConsole(url: string): { readonly name: string; readonly url: string } | undefined {
  const [, front, name, rest] = address.exec(url) ?? []
  return name === undefined ? undefined : { name, url: `${front}${rest}` }
}
