/**
 * Throws for an error that came up outside of any request in a started process, by its log. The process lives on with it,
 * so nothing else would say so. In a test's own process the runner fails for such an error itself.
 */
export function failOnUnexpectedErrors(log: string): void {
  const found = log.split('\n').filter((line) => line.includes('"msg":"unexpected error outside a request"'))
  if (found.length > 0)
    throw new Error(`unexpected errors outside of requests:\n${found.slice(0, 3).join('\n')}`)
}
