import { buildServer } from '@corridor/testkit/built-server.ts'
import { attack, shapes, type Target } from '../tests/security/hostile-bodies.ts'
import { startServer } from '../tests/security/started-server.ts'

/**
 * Sends bodies that cost a server far more than their bytes to every route that takes one, on 20 connections at once,
 * with a heap of the default size and one of 512 MB. Fails above 1 GB of memory, and where /healthz or a turn of the event loop
 * takes more than 250 ms beyond what the machine takes at rest.
 */

const connections = 20
const limitMb = 1_000
const limitMs = 250
const idOfNobody = 'Customer:019542f5-b3e7-1d02-0000-000000000001'

interface Document {
  readonly paths: Readonly<
    Record<string, Readonly<Record<string, { readonly requestBody?: { readonly content: object } }>>>
  >
}

/** Every operation of the published document, pages for people, and paths that no route has. */
async function targetsOf(server: Awaited<ReturnType<typeof startServer>>): Promise<Target[]> {
  const document = (await (await fetch(`${server.base}/openapi.json`)).json()) as Document
  const authorization = server.authorization('acme')
  const ofApi = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { requestBody }]): Target[] => {
      const types = Object.keys(requestBody?.content ?? {})
      if (types.length === 0 && path !== '/stream') return []
      const isForm = types.some((type) => type.startsWith('multipart/'))
      return [
        {
          method: method.toUpperCase(),
          path: `/2025-10-13${path.replace(/\{\w+\}/g, encodeURIComponent(idOfNobody))}`,
          contentType: isForm ? 'multipart/form-data; boundary=b' : 'application/json',
          authorization,
        },
      ]
    }),
  )
  const json = { method: 'POST', contentType: 'application/json' }
  return [
    ...ofApi,
    { ...json, path: '/console/session/start' },
    { ...json, path: '/operator/platforms', authorization: server.operator },
    { ...json, path: '/operator/no-such-route', authorization: server.operator },
    { ...json, path: '/no-such-route' },
    { ...json, path: '/verify/x/submit', contentType: 'application/x-www-form-urlencoded' },
    { ...json, path: '/verify/x/submit', contentType: 'multipart/form-data; boundary=b' },
  ]
}

buildServer()
let failures = 0
for (const heap of [undefined, 512]) {
  const server = await startServer(
    { CORRIDOR_RATE_LIMITS: 'off' },
    heap === undefined ? [] : [`--max-old-space-size=${heap}`],
  )
  try {
    const targets = await targetsOf(server)
    // What a busy machine adds by itself.
    const idle = await attack(server, targets, shapes[0]!, { connections: 0, forMs: 3_000 })
    console.info(`     heap ${heap ?? 'default'}, nothing sent: /healthz ${idle.slowestMs.toFixed(0)} ms`)
    for (const shape of shapes) {
      await server.probe('reset')
      let slowest = { ms: 0, path: '' }
      const statuses: Record<string, number> = {}
      // Twenty routes at a time: each connection has one of its own.
      for (let start = 0; start < targets.length; start += connections) {
        const some = targets.slice(start, start + connections)
        const result = await attack(server, some, shape, { connections, forMs: 1_500 })
        if (result.slowestMs > slowest.ms) slowest = { ms: result.slowestMs, path: some[0]!.path }
        for (const [status, count] of Object.entries(result.statuses)) {
          statuses[status] = (statuses[status] ?? 0) + count
        }
      }
      const { highestRssMb, pauseMs } = await server.probe('read')
      await server.expectAlive()
      const isFine = highestRssMb < limitMb && pauseMs < limitMs && slowest.ms < limitMs + idle.slowestMs
      if (!isFine) failures++
      console.info(
        `${isFine ? 'ok  ' : 'FAIL'} heap ${heap ?? 'default'}, ${targets.length} routes, ${shape.name}: ` +
          `${highestRssMb.toFixed(0)} MB, /healthz ${slowest.ms.toFixed(0)} ms (${slowest.path}), ` +
          `longest pause ${pauseMs.toFixed(0)} ms, statuses ${JSON.stringify(statuses)}`,
      )
    }
    if (server.log().includes('unexpected error')) {
      failures++
      console.info('FAIL the log has unexpected errors')
    }
  } finally {
    await server.stop()
  }
}
process.exitCode = failures > 0 ? 1 : 0
