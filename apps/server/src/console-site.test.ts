import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Fastify from 'fastify'
import { afterAll, expect, it } from 'vitest'
import { registerConsole } from './console-site.ts'

const folder = mkdtempSync(join(tmpdir(), 'corridor-console-site-'))
mkdirSync(join(folder, 'assets'))
writeFileSync(join(folder, 'index.html'), '<!doctype html>page')
writeFileSync(join(folder, 'assets/code-1a2b.js'), 'plain')
writeFileSync(join(folder, 'assets/code-1a2b.js.br'), 'compressed')
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function serverOf(directory: string) {
  const server = Fastify()
  registerConsole(server, directory)
  return server
}

it('serves the page for every address that is no file, under the strict policy', async () => {
  const server = serverOf(folder)
  for (const url of ['/console', '/console/', '/console/acme/sandbox/payments?status=FAILED']) {
    const { statusCode, body, headers } = await server.inject({ url })
    expect([url, statusCode, body]).toEqual([url, 200, '<!doctype html>page'])
    expect(headers['content-security-policy']).toContain("script-src 'self'; style-src 'self';")
    expect(headers['cache-control']).toBe('no-cache')
  }
})

it('serves what the build compressed to who takes it, and lets it be kept', async () => {
  const server = serverOf(folder)
  const url = '/console/assets/code-1a2b.js'
  const compressed = await server.inject({ url, headers: { 'accept-encoding': 'gzip, br' } })
  expect([compressed.body, compressed.headers['content-encoding']]).toEqual(['compressed', 'br'])
  expect(compressed.headers['cache-control']).toContain('immutable')
  const plain = await server.inject({ url })
  expect([plain.body, plain.headers['content-encoding']]).toEqual(['plain', undefined])
})

it('leaves what is below the API of the console to the server, and serves no page for it', async () => {
  const server = serverOf(folder)
  server.setNotFoundHandler((_request, reply) => reply.code(404).send({ code: 'REFERENCE_NOT_FOUND' }))
  for (const url of [
    '/console/api',
    '/console/api/',
    '/console/api/none?a=b',
    '/console/api/none/sandbox/2025-10-13/config',
    '/console/%61pi/none',
    '/console/api%2Fnone',
    '/console/session/none',
  ]) {
    const { statusCode, body, headers } = await server.inject({ url })
    expect([url, statusCode, body]).toEqual([url, 404, '{"code":"REFERENCE_NOT_FOUND"}'])
    expect(headers['content-type']).toContain('application/json')
  }
  expect((await server.inject({ url: '/console/api.example/sandbox' })).body).toBe('<!doctype html>page')
})

it('has no file that the build did not make, and says when there was no build', async () => {
  const server = serverOf(folder)
  expect((await server.inject({ url: '/console/assets/code-0000.js' })).statusCode).toBe(404)
  expect((await server.inject({ url: '/console/..%2f..%2fpackage.json' })).body).toBe('<!doctype html>page')
  const { statusCode, body } = await serverOf(join(folder, 'absent')).inject({ url: '/console' })
  expect([statusCode, body]).toEqual([404, 'The console is not built: npm run build\n'])
})
