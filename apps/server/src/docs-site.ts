import { existsSync, readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { contentPolicy } from './content-policy.ts'

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.md': 'text/markdown; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.svg': 'image/svg+xml',
}

/** Where the build leaves the documentation, beside the bundle; from the sources, where the last build left it. */
export function builtSite(): string {
  const bundled = join(import.meta.dirname, 'site')
  return existsSync(bundled) ? bundled : join(import.meta.dirname, '../dist/site')
}

/** One address for each file of the folder, and no other: a page without its ending. Needs no credentials. */
export function registerSite(server: FastifyInstance, directory: string): void {
  if (!existsSync(directory)) return
  for (const file of filesBelow(directory, '')) {
    const type = types[extname(file)]
    if (!type) continue
    server.get(file.replace(/\.html$/, ''), async (_request, reply) =>
      reply
        .header('content-type', type)
        .header('content-security-policy', contentPolicy)
        .header('x-content-type-options', 'nosniff')
        .header('referrer-policy', 'no-referrer')
        .header('cache-control', 'no-cache')
        .send(await readFile(join(directory, file))),
    )
  }
}

function filesBelow(directory: string, path: string): string[] {
  return readdirSync(join(directory, path), { withFileTypes: true }).flatMap((entry) => {
    const inside = `${path}/${entry.name}`
    return entry.isDirectory() ? filesBelow(directory, inside) : [inside]
  })
}
