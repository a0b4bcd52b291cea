import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { serversOf } from '@corridor/engine/mechanisms/http/openapi.ts'
import { apiVersion } from '@corridor/engine/vocabulary/version.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { builtConsole, registerConsole } from './console-site.ts'
import { contentPolicy } from './content-policy.ts'
import { builtSite, registerSite } from './docs-site.ts'

const documentPath = `/${apiVersion}/openapi.json`

const assets = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
  'favicon-32x32.png': 'image/png',
} as const

/** The published document: beside the bundle, or in its folder when the sources run. */
const bundledDocument = join(import.meta.dirname, 'openapi.json')
const documentFile = existsSync(bundledDocument)
  ? bundledDocument
  : join(import.meta.dirname, '../../../openapi/openapi.json')

/**
 * The pages for people: a landing text, the console, the documentation, the published document with the address of this
 * installation, and a page to try it. All need no credentials; the console asks for one itself.
 */
export function registerPages(server: FastifyInstance, { baseUrl }: { readonly baseUrl: string }): void {
  const packageDirectory = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'))

  registerFiles(server, (files) => {
    files.get('/', async (_request, reply) => html(reply, landing))

    registerDocument(files, { baseUrl, docsAt: baseUrl })
    registerConsole(files, builtConsole())
    registerSite(files, builtSite())
    files.get('/docs/try', async (_request, reply) => html(reply, tryPage))
    files.get('/docs/try/start.js', async (_request, reply) =>
      asset(reply, 'text/javascript; charset=utf-8', start),
    )
    for (const [name, type] of Object.entries(assets)) {
      const content = packedOnce(() => readFile(join(packageDirectory, name)))
      files.get(`/docs/try/${name}`, packed, (request, reply) => content(request, assetHead(reply, type)))
    }
  })
}

/** Marks pages that show nothing of the database, so that the server sends them while the standby is away. */
function registerFiles(server: FastifyInstance, register: (files: FastifyInstance) => void): void {
  void server.register(async (files) => {
    files.addHook('onRoute', (route) => {
      route.config = { ...route.config, isFile: true }
    })
    register(files)
  })
}

/** What is read about a fork with nothing but its base URL: the document with its address. Guides are those of the installation. */
export function registerPagesOfFork(
  server: FastifyInstance,
  { baseUrl, docsAt }: { readonly baseUrl: string; readonly docsAt: string },
): void {
  registerFiles(server, (files) => {
    registerDocument(files, { baseUrl, docsAt })
    files.get('/docs', async (_request, reply) => reply.redirect(`${docsAt}/docs`))
  })
}

function registerDocument(
  server: FastifyInstance,
  { baseUrl, docsAt }: { readonly baseUrl: string; readonly docsAt: string },
): void {
  const document = packedOnce(() => documentAt(baseUrl, docsAt))
  server.get(documentPath, packed, (request, reply) => {
    reply.header('content-type', 'application/json; charset=utf-8').header('cache-control', 'no-cache')
    return document(request, reply)
  })
}

/** Of answers that are packed already: to do it for each would let strangers keep a processor busy. */
const packed = { compress: false } as const

/** Sends what is read as it is, or packed with gzip to those who take that; read and packed once, for the first who asks. */
function packedOnce(read: () => Promise<string | Buffer>) {
  const prepare = async () => {
    const plain = Buffer.from(await read())
    return { plain, small: await promisify(gzip)(plain) }
  }
  let prepared: ReturnType<typeof prepare> | undefined
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    prepared ??= prepare()
    const { plain, small } = await prepared.catch((error: unknown) => {
      // The next one tries again.
      prepared = undefined
      throw error
    })
    reply.header('vary', 'accept-encoding')
    const takesGzip = isTaken('gzip', request.headers['accept-encoding'])
    return takesGzip ? reply.header('content-encoding', 'gzip').send(small) : reply.send(plain)
  }
}

/** Whether a coding is named, and not with a weight of nothing (RFC 9110, 12.5.3). */
function isTaken(coding: string, accepted: string | string[] | undefined): boolean {
  return String(accepted ?? '')
    .toLowerCase()
    .split(',')
    .some((each) => {
      const [name, weight = ''] = each.split(';').map((part) => part.trim())
      return name === coding && !/^q=0(\.0*)?$/.test(weight)
    })
}

async function documentAt(baseUrl: string, docsAt: string): Promise<string> {
  const { info, ...document } = JSON.parse(await readFile(documentFile, 'utf8'))
  const contact = { ...info.contact, url: `${docsAt}/docs` }
  return JSON.stringify({ ...document, info: { ...info, contact }, servers: serversOf(baseUrl) })
}

function html(reply: FastifyReply, text: string): FastifyReply {
  return reply
    .header('content-type', 'text/html; charset=utf-8')
    .header('content-security-policy', contentPolicy)
    .header('x-content-type-options', 'nosniff')
    .header('referrer-policy', 'no-referrer')
    .header('cache-control', 'no-cache')
    .send(text)
}

function asset(reply: FastifyReply, type: string, content: string): FastifyReply {
  return assetHead(reply, type).send(content)
}

function assetHead(reply: FastifyReply, type: string): FastifyReply {
  return reply
    .header('content-type', type)
    .header('x-content-type-options', 'nosniff')
    .header('cache-control', 'public, max-age=3600')
}

const landing = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Corridor</title>
<h1>Corridor</h1>
<p>This is an installation of Corridor, a payments API.</p>
<ul>
<li><a href="/console">Console</a>
<li><a href="/docs">Guides and reference</a>
<li><a href="/docs/try">Try the API</a>
<li><a href="${documentPath}">OpenAPI document</a>
<li><a href="/healthz">Liveness</a>, <a href="/readyz">readiness</a>, <a href="/metrics">metrics</a>
</ul>
`

// No persistAuthorization: credentials typed into the page are gone when it is closed.
const tryPage = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Corridor API</title>
<link rel="stylesheet" href="/docs/try/swagger-ui.css">
<link rel="icon" href="/docs/try/favicon-32x32.png">
<div id="reference"></div>
<script src="/docs/try/swagger-ui-bundle.js"></script>
<script src="/docs/try/start.js"></script>
`

const start = `SwaggerUIBundle({
  url: '${documentPath}',
  dom_id: '#reference',
  deepLinking: true,
  docExpansion: 'none',
  defaultModelsExpandDepth: 0,
  validatorUrl: null,
})
`
