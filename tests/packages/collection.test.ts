import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { openTestServer } from '@corridor/testkit/index.ts'
// @ts-expect-error it comes without types
import { Collection, Variable } from 'postman-collection'
import { describe, expect, it } from 'vitest'

// The collection as the library of those who made the format reads it.

/** What is used of it. */
interface Item {
  readonly name: string
  readonly request: {
    readonly method: string
    readonly url: { toString(): string; getPath(): string }
    readonly auth?: { readonly type: string }
    readonly body?: { readonly mode: string; toString(): string }
    readonly headers: { toObject(isEnabled: boolean): Record<string, string> }
  }
  parent(): { readonly name: string }
}

const server = await openTestServer()
const file = join(import.meta.dirname, '../../openapi/corridor.postman_collection.json')
const document = JSON.parse(readFileSync(join(import.meta.dirname, '../../openapi/openapi.json'), 'utf8'))
const collection = new Collection(JSON.parse(readFileSync(file, 'utf8')))
const items: Item[] = []
collection.forEachItem((item: Item) => items.push(item))

describe('the collection for Postman', () => {
  it('has each operation once, in the folder of its tag', () => {
    const published = Object.entries<Record<string, { tags?: string[] }>>(document.paths).flatMap(
      ([path, methods]) =>
        Object.entries(methods)
          .filter(([method]) => /^(get|post|put|patch|delete)$/.test(method))
          .map(([method, { tags }]) => `${tags![0]} ${method.toUpperCase()} ${path}`),
    )
    const told = items.map((item) => {
      const path = item.request.url.getPath().replace(/:(\w+)/g, '{$1}')
      return `${item.parent().name} ${item.request.method} ${path}`
    })
    expect(told.sort()).toEqual(published.sort())
  })

  it('sends what the API takes, once its variables are set', async () => {
    const { clientId, clientSecret } = await server.platform()
    const variables = { baseUrl: server.baseUrl, clientId, clientSecret, agentToken: 'none' }
    for (const [key, value] of Object.entries(variables)) {
      collection.variables.upsert(new Variable({ key, value }))
    }
    const refused: string[] = []
    for (const { request } of items) {
      const body = request.body
      if (body?.mode === 'formdata') continue
      const auth = request.auth ?? collection.auth
      const given = Buffer.from(`${clientId}:${clientSecret}`).toString('base64')
      // What a path names is nobody's here: whoever imports the collection fills that in.
      const url = collection.variables
        .replace(request.url.toString())
        .replace(/(?<=\/):\w+/g, 'Quote:01930000-0000-7000-8000-000000000000')
      const answer = await server.fetch(
        new Request(url, {
          method: request.method,
          headers: {
            ...(auth?.type === 'basic' ? { authorization: `Basic ${given}` } : {}),
            ...(body ? { 'content-type': 'application/json' } : {}),
            ...Object.fromEntries(
              Object.entries(request.headers.toObject(true)).map(([name, value]) => [
                name,
                collection.variables.replace(value),
              ]),
            ),
          },
          ...(body ? { body: body.toString() } : {}),
        }),
      )
      const told = answer.headers.get('content-type')?.includes('json') ? await answer.json() : {}
      const wrong: { field: string; message: string }[] = body ? (told.details?.errors ?? []) : []
      const isTaken = ![405, 415].includes(answer.status) && answer.status < 500
      // Whom a body names is nobody's here either; its form has to be right.
      const isMisshapen = wrong.some(
        ({ field, message }) =>
          !url.includes(`${field}=`) && !/^is not an? \w+ of|^does not belong to/.test(message),
      )
      if (!isTaken || isMisshapen) refused.push(`${request.method} ${url}: ${JSON.stringify(told)}`)
    }
    expect(refused).toEqual([])
  })
})
