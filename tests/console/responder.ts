import type { RequestListener } from 'node:http'
import type { FastifyInstance } from 'fastify'

/** A call of the console to its API. */
export interface Call {
  readonly method: string
  /** Behind the version, without the query. */
  readonly path: string
  readonly requestId: string
}

export interface Response {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly json: object
}

export type Responder = (call: Call) => Response | undefined | Promise<Response | undefined>

/**
 * Puts a test before the API of the console. It does so below Fastify, whose hooks do not reach from one scope to another, and
 * not in the browser, because a route of Playwright turns off the cache of scripts, which doubles the CPU of each load.
 */
export function respondFirst(
  { server }: FastifyInstance,
  respond: (call: Call) => ReturnType<Responder>,
): void {
  const listeners = server.listeners('request') as RequestListener[]
  server.removeAllListeners('request')
  server.on('request', async (request, response) => {
    const [, path] = /^\/console\/api\/(?:.*?\/2025-10-13\/)?([^?]*)/.exec(request.url ?? '') ?? []
    const call = {
      method: request.method!,
      path: path ?? '',
      requestId: String(request.headers['x-request-id']),
    }
    const answer = path === undefined ? undefined : await respond(call)
    if (answer) {
      response.writeHead(answer.status, { ...answer.headers, 'content-type': 'application/json' })
      response.end(JSON.stringify(answer.json))
    } else for (const listener of listeners) listener(request, response)
  })
}
