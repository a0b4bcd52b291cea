/** What a link to the console signs in with, taken out of the address before anything else sees it. */
const token = /^#t=([A-Za-z0-9_-]+\.[A-Za-z0-9_-]+)$/.exec(location.hash)?.[1]
if (token !== undefined) history.replaceState(null, '', location.pathname + location.search)

/** Signs in with it once more, for who was asked first. */
export function startAgain<T>(start: (token: string) => Promise<T>): Promise<T> | undefined {
  return token === undefined ? undefined : start(token)
}

let started: Promise<unknown> | undefined

/** Signs in with it, once however often this is asked. Undefined where the page was not opened by such a link. */
export function startOnce<T>(start: (token: string) => Promise<T>): Promise<T> | undefined {
  if (token !== undefined) started ??= start(token)
  return started as Promise<T> | undefined
}
