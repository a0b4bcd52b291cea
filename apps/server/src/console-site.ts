import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { contentPolicy } from './content-policy.ts'

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
  '.woff': 'font/woff',
}

/** Where the build leaves the console, beside the bundle; from the sources, where the last build left it. */
export function builtConsole(): string {
  const bundled = join(import.meta.dirname, 'console')
  return existsSync(bundled) ? bundled : join(import.meta.dirname, '../dist/console')
}

/** Behind `/console/`, decoded. */
const ofApi = /^(api|session)(\/|$)/

interface File {
  readonly type: string
  readonly path: string
  readonly hasBrotli: boolean
}

/**
 * The console at `/console`: the files that the build made, compressed by it where the browser takes that, and the one page
 * for every other address below, which finds its way itself. The files hold no data and need no credentials. What asks for
 * an address of the console's API that there is not gets its error, like everywhere in the API, and no page.
 */
export function registerConsole(server: FastifyInstance, directory: string): void {
  const files = filesOf(directory)
  const serve = async (request: FastifyRequest, reply: FastifyReply) => {
    if (ofApi.test((request.params as { '*'?: string })['*'] ?? '')) return reply.callNotFound()
    const path = request.url.split('?')[0]!.replace(/^\/console\/?/, '')
    const file = files.get(path)
    const shown = file ?? files.get('index.html')
    if (!shown || (!file && path.startsWith('assets/'))) return missing(reply, files.size > 0)
    // What the build puts under assets/ is named after its content.
    const isHashed = file !== undefined && path.startsWith('assets/')
    const takesBrotli = shown.hasBrotli && /\bbr\b/.test(String(request.headers['accept-encoding'] ?? ''))
    if (takesBrotli) reply.header('content-encoding', 'br')
    return headed(reply, shown.type)
      .header('vary', 'accept-encoding')
      .header('cache-control', isHashed ? 'public, max-age=31536000, immutable' : 'no-cache')
      .send(readFileSync(takesBrotli ? `${shown.path}.br` : shown.path))
  }
  server.get('/console', serve)
  server.get('/console/*', serve)
}

function missing(reply: FastifyReply, isBuilt: boolean): FastifyReply {
  const text = isBuilt
    ? 'The console does not have this file.\n'
    : 'The console is not built: npm run build\n'
  return headed(reply.code(404), 'text/plain; charset=utf-8').header('cache-control', 'no-cache').send(text)
}

function headed(reply: FastifyReply, type: string): FastifyReply {
  return reply
    .header('content-type', type)
    .header('content-security-policy', contentPolicy)
    .header('x-content-type-options', 'nosniff')
    .header('referrer-policy', 'no-referrer')
}

/** Known once, so that an address can ask for nothing else; they are read when they are asked for and take no memory. */
function filesOf(directory: string): ReadonlyMap<string, File> {
  if (!existsSync(directory)) return new Map()
  const names = readdirSync(directory, { recursive: true, encoding: 'utf8' }).map((name) =>
    name.replaceAll('\\', '/'),
  )
  const known = new Set(names)
  return new Map(
    names.flatMap((name) => {
      const type = types[extname(name)]
      return type ? [[name, { type, path: join(directory, name), hasBrotli: known.has(`${name}.br`) }]] : []
    }),
  )
}
