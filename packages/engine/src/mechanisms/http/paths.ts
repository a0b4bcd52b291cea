import type { FastifyRequest } from 'fastify'
import { type Failure, fail } from '../../vocabulary/errors.ts'
import type { Operation } from '../../vocabulary/operation.ts'
import { surfaceOf } from './surfaces.ts'

const maxShownPath = 256

export function urlOf(operation: Operation): string {
  return surfaceOf(operation).basePath + operation.path.replace(/\{(\w+)\}/g, ':$1')
}

/** Whether a path may be an address like this, which names its parameters with colons. */
export function isPathOf(url: string, path: string): boolean {
  const [named, given] = [url.split('/'), path.split('/', maxSegments)]
  return (
    named.length === given.length &&
    named.every((part, index) => (part.startsWith(':') ? given[index] !== '' : part === given[index]))
  )
}

/** Addresses that differ in the names of their parameters alone have one shape. */
export const shapeOf = (url: string): string => url.replace(/:[^/]+/g, ':')

/** Of addresses that a path may be, the shape of the one that it is: a word comes before an id, from left to right. */
export function shapeOfPath(urls: Iterable<string>, path: string): string | undefined {
  let found: string | undefined
  for (const url of urls) {
    if (!isPathOf(url, path)) continue
    const shape = shapeOf(url)
    // In the first part that differs one is a parameter: both are this path.
    if (found === undefined || isWordFirst(shape.split('/'), found.split('/'))) found = shape
  }
  return found
}

function isWordFirst(one: readonly string[], other: readonly string[]): boolean {
  return other[one.findIndex((part, index) => part !== other[index])] === ':'
}

/** No address has as many parts. */
const maxSegments = 32

export function pathOf(request: Pick<FastifyRequest, 'url'>): string {
  const query = request.url.indexOf('?')
  let end = query === -1 ? request.url.length : query
  while (end > 1 && request.url[end - 1] === '/') end--
  const path = request.url.slice(0, end)
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

export function unknownRoute(path: string): Failure {
  return fail('REFERENCE_NOT_FOUND', { resourceType: 'route', id: path.slice(0, maxShownPath) })
}

/** No id holds this character and no database takes it: such an id is one that is not found. */
export function withoutNul(params: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(params).map(([name, value]) => [name, value.replaceAll('\0', '\ufffd')]),
  )
}
