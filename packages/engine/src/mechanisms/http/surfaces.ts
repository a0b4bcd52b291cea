import type { Failure } from '../../vocabulary/errors.ts'
import type { Operation, SurfaceName } from '../../vocabulary/operation.ts'
import { apiVersion } from '../../vocabulary/version.ts'
import { type RenderedFailure, renderFailure } from './render.ts'
import { schemes } from './schemes.ts'

/** A family of addresses: where they begin, how their errors look, and whether platforms are told of them. */
export interface Surface {
  /** In front of the path of each operation. */
  readonly basePath: string
  readonly isPublished: boolean
  readonly renderFailure: (failure: Failure, requestId: string, operation: Operation) => RenderedFailure
}

/** Every family. What is asked outside of all of them is answered like the platforms' own (conventions 12). */
export const surfaces: Readonly<Record<SurfaceName, Surface>> = {
  platform: { basePath: `/${apiVersion}`, isPublished: true, renderFailure: withChallenge },
  operator: { basePath: '', isPublished: false, renderFailure: withChallenge },
}

export function surfaceOf({ surface, auth }: Operation): Surface {
  return surfaces[surface ?? (auth === 'operator' ? 'operator' : 'platform')]
}

/** The error model of the API, and for a 401 the scheme that would have been right. */
function withChallenge(failure: Failure, requestId: string, { auth, path }: Operation): RenderedFailure {
  const rendered = renderFailure(failure, requestId)
  if (rendered.status !== 401) return rendered
  // A scheme that browsers know would be asked for in a window of their own, and the page would wait for ever.
  const { challenge } = schemes[path.startsWith('/console/') ? 'console' : auth]
  return { ...rendered, headers: { ...rendered.headers, 'www-authenticate': challenge } }
}
