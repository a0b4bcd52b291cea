import type { TestServer } from '@corridor/testkit/server.ts'
import { operations } from '../../../packages/engine/src/assembly/features.ts'
import { surfaceOf } from '../../../packages/engine/src/mechanisms/http/surfaces.ts'
import type { Operation } from '../../../packages/engine/src/vocabulary/operation.ts'

/** One exchange as it went over HTTP. */
export interface Exchange {
  readonly operation: Operation
  readonly method: string
  /** Below the version, with its query. */
  readonly path: string
  readonly headers: Headers
  /** Undefined where there was none; the fields of a form as plain text. */
  readonly body: unknown
  readonly isForm: boolean
  readonly status: number
  readonly answer: unknown
  /** The variant that it is an example of, where there are several: a type of account. */
  readonly variant: string | undefined
}

export interface Recorder {
  readonly exchanges: readonly Exchange[]
  /** What is sent while `run` does is an example of this variant. */
  as<T>(variant: string, run: () => Promise<T>): Promise<T>
}

const published = operations.filter((operation) => surfaceOf(operation).isPublished)

/** Listens to everything that is sent to the server from now on. */
export function recordExchanges(server: TestServer): Recorder {
  const exchanges: Exchange[] = []
  const send = server.fetch
  let variant: string | undefined
  Object.assign(server, {
    fetch: (async (input, init) => {
      const request = new Request(input, init)
      const sent = request.clone()
      const response = await send(request)
      const path = request.url.startsWith(server.baseUrl)
        ? request.url.slice(server.baseUrl.length)
        : undefined
      const operation = path === undefined ? undefined : operationAt(request.method, path)
      if (operation && path !== undefined) {
        const isForm = sent.headers.get('content-type')?.startsWith('multipart/') ?? false
        const text = await response.clone().text()
        exchanges.push({
          operation,
          method: request.method,
          path,
          headers: sent.headers,
          body: isForm ? await formFields(sent) : readJson(await sent.text()),
          isForm,
          status: response.status,
          answer: readJson(text),
          variant,
        })
      }
      return response
    }) satisfies typeof fetch,
  })
  return {
    exchanges,
    async as(name, run) {
      variant = name
      try {
        return await run()
      } finally {
        variant = undefined
      }
    },
  }
}

/** Words of the path that are no parameters decide first, as in routing. */
function operationAt(method: string, path: string): Operation | undefined {
  const { pathname } = new URL(`http://host${path}`)
  const found = published.filter(
    (operation) =>
      operation.method === method &&
      new RegExp(`^${operation.path.replace(/\{\w+\}/g, '[^/]+')}$`).test(pathname),
  )
  return found.sort((a, b) => a.path.split('{').length - b.path.split('{').length)[0]
}

function readJson(text: string): unknown {
  return text === '' ? undefined : JSON.parse(text)
}

async function formFields(request: Request): Promise<Record<string, string>> {
  const fields = [...(await request.formData())]
  return Object.fromEntries(
    fields.map(([name, value]) => [name, typeof value === 'string' ? value : `(the bytes of ${value.name})`]),
  )
}
