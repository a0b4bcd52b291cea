import type { OperationRow } from '@corridor/sdk'

/** Short schemas of bodies, out of the document that the server publishes. */
export interface OperationSchemas {
  bodyOf(row: OperationRow): Promise<unknown>
}

interface Schema {
  readonly $ref?: string
  readonly type?: string
  readonly enum?: readonly unknown[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly oneOf?: readonly Schema[]
  readonly anyOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
}

interface Document {
  readonly paths: Readonly<
    Record<
      string,
      Readonly<Record<string, { requestBody?: { content: Readonly<Record<string, { schema: Schema }>> } }>>
    >
  >
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

const deepest = 3
const mostVariants = 6

export function operationSchemas(load: () => Promise<unknown>): OperationSchemas {
  let loaded: Promise<Document> | undefined
  return {
    async bodyOf({ path, method, body }) {
      if (body !== 'json') return undefined
      loaded ??= load() as Promise<Document>
      const document = await loaded.catch(() => {
        loaded = undefined
        return undefined
      })
      // An operation is found without its schema as well.
      if (!document) return undefined
      const schema =
        document.paths[path]?.[method.toLowerCase()]?.requestBody?.content['application/json']?.schema
      return schema && short(document, schema, 0)
    },
  }
}

/** `{name: 'string', status?: 'A|B'}`: names with their types, a `?` where they may be left out. */
function short(document: Document, schema: Schema, depth: number): unknown {
  if (schema.$ref) {
    const name = schema.$ref.split('/').at(-1)!
    return short(document, document.components.schemas[name] ?? {}, depth)
  }
  const variants = schema.oneOf ?? schema.anyOf
  if (variants) {
    if (depth >= deepest) return 'one of several'
    return { oneOf: variants.slice(0, mostVariants).map((each) => short(document, each, depth + 1)) }
  }
  if (schema.enum) return schema.enum.slice(0, 20).join('|')
  if (schema.allOf) {
    const { allOf, ...own } = schema
    const parts = [...allOf, ...(own.properties ? [own] : [])]
    return Object.assign({}, ...parts.map((each) => asObject(short(document, each, depth))))
  }
  if (schema.type === 'array') return [short(document, schema.items ?? {}, depth + 1)]
  if (!schema.properties) return schema.type ?? 'any'
  if (depth >= deepest) return 'object'
  return Object.fromEntries(
    Object.entries(schema.properties).map(([name, each]) => [
      schema.required?.includes(name) ? name : `${name}?`,
      short(document, each, depth + 1),
    ]),
  )
}

const asObject = (value: unknown) => (typeof value === 'object' ? value : {})
