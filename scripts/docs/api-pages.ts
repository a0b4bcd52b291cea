import { code, table } from '../generate/markdown.ts'
import { type DocsPage, docsPage } from './contents.ts'

/** One page for each tag of the published document: its operations with all their fields, as Markdown. */

// biome-ignore lint/suspicious/noExplicitAny: a JSON Schema of any form
type Schema = any

interface PublishedDocument {
  readonly tags?: readonly { readonly name: string; readonly description?: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, Schema>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

const methods = ['get', 'post', 'put', 'patch', 'delete']
/** Deeper fields appear only as the name of their schema. */
const deepest = 3

export function renderApiPages(document: PublishedDocument): readonly DocsPage[] {
  const byTag = new Map<string, string[]>()
  for (const [path, item] of Object.entries(document.paths)) {
    for (const method of methods.filter((name) => item[name])) {
      const operation = item[method]
      const [tag = 'Other'] = operation.tags ?? []
      const sections = byTag.get(tag) ?? []
      sections.push(renderOperation(document, `${method.toUpperCase()} ${path}`, operation))
      byTag.set(tag, sections)
    }
  }
  return [...byTag].map(([tag, sections]) => {
    const description = document.tags?.find(({ name }) => name === tag)?.description
    const slug = tag.toLowerCase().replace(/[^a-z0-9]+/g, '-')
    const introduction = description ?? 'Paths are relative to the address that ends in the version.'
    return docsPage(`api/${slug}`, `${[`# ${tag}`, introduction, ...sections].join('\n\n')}\n`)
  })
}

function renderOperation(document: PublishedDocument, line: string, operation: Schema): string {
  const parts = [`## ${operation.summary ?? line}`, code(line), operation.description]
  const parameters = (operation.parameters ?? []).map((parameter: Schema) => resolve(document, parameter))
  if (parameters.length > 0) {
    const rows = parameters.map(({ name, in: place, required, schema, description }: Schema) => [
      code(name),
      `${place}${required ? ', required' : ''}`,
      describe(document, schema, description),
    ])
    parts.push('### Parameters', table(['Name', 'Where', 'Meaning'], rows))
  }
  const body = operation.requestBody && resolve(document, operation.requestBody)
  if (body) parts.push('### Body', ...renderContent(document, body))
  for (const [status, response] of Object.entries<Schema>(operation.responses ?? {})) {
    if (!status.startsWith('2')) continue
    parts.push(`### Response ${status}`, ...renderContent(document, resolve(document, response)))
  }
  const errors = Object.entries<Schema>(operation.responses ?? {}).filter(([status]) => status >= '4')
  if (errors.length > 0) {
    const rows = errors.map(([status, response]) => [
      status,
      inCell(resolve(document, response).description ?? ''),
    ])
    parts.push('### Errors', table(['Status', 'Codes'], rows))
  }
  return parts.filter(Boolean).join('\n\n')
}

function renderContent(document: PublishedDocument, { content = {} }: Schema): string[] {
  return Object.entries<Schema>(content).flatMap(([type, { schema, example, examples }]) => {
    const shown = example ?? Object.values<Schema>(examples ?? {})[0]?.value
    const rows = schema ? fieldsOf(document, schema, '', 0) : []
    return [
      ...(type === 'application/json' ? [] : [code(type)]),
      ...(rows.length > 0 ? [table(['Field', 'Meaning'], rows)] : []),
      ...(shown === undefined ? [] : [`\`\`\`json\n${JSON.stringify(shown, null, 2)}\n\`\`\``]),
    ]
  })
}

/** One row for each field, followed by the fields of nested objects. Variants are listed by the names of their schemas. */
function fieldsOf(document: PublishedDocument, given: Schema, prefix: string, depth: number): string[][] {
  const schema = resolve(document, given)
  if (schema.type === 'array' && schema.items) return fieldsOf(document, schema.items, `${prefix}[]`, depth)
  const rows: string[][] = []
  for (const part of schema.allOf ?? []) rows.push(...fieldsOf(document, part, prefix, depth))
  const required = new Set<string>(schema.required ?? [])
  for (const [name, member] of Object.entries<Schema>(schema.properties ?? {})) {
    const path = prefix ? `${prefix}.${name}`.replace(/^\[\]\./, '') : name
    const must = required.has(name) ? 'required. ' : ''
    rows.push([code(path), `${must}${describe(document, member, member.description)}`])
    if (depth < deepest) rows.push(...fieldsOf(document, member, path, depth + 1))
  }
  const variants: Schema[] = schema.oneOf ?? schema.anyOf ?? []
  const names = variants.map((variant) => variant.$ref?.split('/').pop()).filter(Boolean)
  if (names.length > 0 && depth === 0)
    rows.push([prefix ? code(prefix) : 'one of', names.map(code).join(', ')])
  return uniqueRows(rows)
}

function uniqueRows(rows: readonly string[][]): string[][] {
  return [...new Map(rows.map((row) => [row[0]!, row])).values()]
}

function describe(document: PublishedDocument, given: Schema, description?: string): string {
  const schema = resolve(document, given)
  const values: unknown[] = schema.enum ?? (schema.const === undefined ? [] : [schema.const])
  const kind =
    values.length > 0
      ? values
          .slice(0, 60)
          .map((value) => code(String(value)))
          .join(', ')
      : [schema.type].flat().filter(Boolean).join(' or ')
  const text = description ?? schema.description
  return inCell([kind && `${kind}.`, text].filter(Boolean).join(' '))
}

function inCell(text: string): string {
  return text.replace(/\s+/g, ' ').replaceAll('|', '\\|')
}

function resolve(document: PublishedDocument, node: Schema): Schema {
  let found = node ?? {}
  for (let hops = 0; found.$ref && hops < 10; hops++) {
    const path: string[] = found.$ref.slice(2).split('/')
    found = path.reduce((inside, name) => inside?.[name], document as Schema) ?? {}
  }
  return found
}
