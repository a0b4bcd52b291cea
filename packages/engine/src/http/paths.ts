import type { FastifyRequest } from 'fastify'
import { type Failure, fail } from './errors.ts'
import type { Operation } from './operation.ts'
import { apiVersion } from './version.ts'

const maxShownPath = 256

export function urlOf(operation: Operation): string {
  const prefix = operation.auth === 'operator' ? '' : `/${apiVersion}`
  return prefix + operation.path.replace(/\{(\w+)\}/g, ':$1')
}

export function patternOf(url: string): RegExp {
  return new RegExp(`^${url.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/:(\w+)/g, '[^/]+')}$`)
}

export function pathOf(request: FastifyRequest): string {
  const [path = ''] = request.url.split('?')
  const trimmed = path.length > 1 ? path.replace(/\/+$/, '') : path
  try {
    return decodeURIComponent(trimmed)
  } catch {
    return trimmed
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
