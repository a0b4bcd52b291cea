import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import openapiTypescript, { astToString } from 'openapi-typescript'
import { features, operations, webhooks } from '../packages/engine/src/assembly/features.ts'
import { tags } from '../packages/engine/src/assembly/tags.ts'
import { openApiDocument } from '../packages/engine/src/mechanisms/http/openapi.ts'
import { type ErrorEntry, errorRegistry } from '../packages/engine/src/vocabulary/errors.ts'
import { checkPages } from './docs/check.ts'
import { renderCollection } from './generate/collection.ts'
import { renderCatalogue, renderPseudoCatalogue } from './generate/console-messages.ts'
import { recordExamples } from './generate/examples/index.ts'
import { code, page, table } from './generate/markdown.ts'
import { renderOperatorCommands } from './generate/operator-commands.ts'
import { renderConsolePayees } from './generate/payees.ts'
import {
  type PublishedDocument,
  renderSdkErrors,
  renderSdkEvents,
  renderSdkOperations,
  renderSdkResources,
} from './generate/sdk.ts'
import {
  renderBalances,
  renderConfiguration,
  renderConsoleAdvice,
  renderConsoleFaults,
  renderConsoleMachines,
  renderConsoleSandbox,
  renderEnvironmentExample,
  renderMachines,
  renderRails,
  renderSandboxGuide,
} from './generate/tables.ts'

/**
 * Writes every file that follows from the source: `npm run generate`. With `--check` it writes nothing
 * and fails when a committed file is not what it would write, or when a page shows what does not exist.
 */

interface GeneratedFile {
  readonly path: string
  readonly render: () => string | Promise<string>
}

const files: readonly GeneratedFile[] = [
  {
    path: 'openapi/openapi.json',
    render: renderDocument,
  },
  { path: 'packages/sdk/src/generated/api.ts', render: renderSdkTypes },
  {
    path: 'packages/sdk/src/generated/operations.ts',
    render: () => renderSdkOperations(publishedDocument()),
  },
  {
    path: 'packages/sdk/src/generated/resources.ts',
    render: () => renderSdkResources(publishedDocument()),
  },
  { path: 'packages/sdk/src/generated/errors.ts', render: renderSdkErrors },
  {
    path: 'packages/sdk/src/generated/events.ts',
    render: () =>
      renderSdkEvents(
        webhooks.map(({ component }) => component),
        webhooks.flatMap(({ types }) => Object.keys(types)),
      ),
  },
  { path: 'apps/cli/src/generated/operator-operations.ts', render: renderOperatorCommands },
  { path: 'docs/reference/errors.md', render: renderErrors },
  { path: 'docs/reference/events.md', render: renderEvents },
  { path: 'docs/reference/operations.md', render: renderOperations },
  { path: 'docs/reference/machines.md', render: renderMachines },
  { path: 'docs/reference/balances.md', render: renderBalances },
  { path: 'apps/console/src/generated/machines.ts', render: renderConsoleMachines },
  { path: 'apps/console/src/generated/faults.ts', render: renderConsoleFaults },
  { path: 'apps/console/src/generated/sandbox.ts', render: renderConsoleSandbox },
  { path: 'apps/console/src/generated/payees.ts', render: () => renderConsolePayees(publishedDocument()) },
  { path: 'apps/console/src/generated/advice.ts', render: renderConsoleAdvice },
  { path: 'apps/console/src/language/catalogues/en.json', render: renderCatalogue },
  { path: 'apps/console/src/language/catalogues/en-XA.json', render: renderPseudoCatalogue },
  { path: 'docs/reference/rails.md', render: renderRails },
  { path: 'docs/reference/configuration.md', render: renderConfiguration },
  { path: 'docs/guides/sandbox.md', render: renderSandboxGuide },
  { path: '.env.example', render: renderEnvironmentExample },
  {
    path: 'openapi/corridor.postman_collection.json',
    render: () => renderCollection(JSON.parse(rendered.get(files[0]!)!)),
  },
]

const root = join(import.meta.dirname, '..')
const isCheck = process.argv.includes('--check')
const rendered = new Map<GeneratedFile, string>()
for (const file of files) rendered.set(file, await file.render())
const stale = files.filter((file) => readIfThere(file.path) !== rendered.get(file))

if (!isCheck) {
  for (const file of stale) write(file)
  console.log(stale.length === 0 ? 'everything is up to date' : stale.map((file) => file.path).join('\n'))
} else if (stale.length > 0) {
  for (const file of stale) console.error(`${file.path}: ${firstDifference(file)}`)
  console.error('\nRun `npm run generate` and commit the result.')
  process.exitCode = 1
}

const wrong = checkPages(root, operations)
for (const { path, line, message } of wrong) console.error(`${path}:${line} ${message}`)
if (wrong.length > 0) process.exitCode = 1

function publishedDocument(): PublishedDocument {
  return openApiDocument(operations, webhooks) as unknown as PublishedDocument
}

function readIfThere(path: string): string | undefined {
  const full = join(root, path)
  return existsSync(full) ? readFileSync(full, 'utf8') : undefined
}

function write(file: GeneratedFile): void {
  const full = join(root, file.path)
  mkdirSync(dirname(full), { recursive: true })
  writeFileSync(full, rendered.get(file)!)
}

function firstDifference(file: GeneratedFile): string {
  const committed = readIfThere(file.path)
  if (committed === undefined) return 'is missing'
  const before = committed.split('\n')
  const after = rendered.get(file)!.split('\n')
  const line = after.findIndex((text, index) => text !== before[index])
  if (line < 0) return `line ${after.length + 1} and after should not be there`
  return `line ${line + 1}\n  - ${before[line] ?? ''}\n  + ${after[line]}`
}

/** With examples from a whole installation that is played through. */
async function renderDocument(): Promise<string> {
  const examples = await recordExamples()
  return `${JSON.stringify(openApiDocument(operations, webhooks, { tags, examples }), null, 2)}\n`
}

/**
 * Types of the SDK, from the document and never from the server's sources. A parameter that may be repeated
 * takes one value or an array of them.
 */
async function renderSdkTypes(): Promise<string> {
  const document = JSON.parse(
    JSON.stringify(openApiDocument(operations, webhooks, { tags })),
    (_key, node) => (node?.['x-repeatable'] ? { ...node, schema: oneOrSeveral(node.schema) } : node),
  )
  const source = await openapiTypescript(document as never, { alphabetize: true, defaultNonNullable: false })
  return `// Generated by \`npm run generate\` from openapi/openapi.json; change the source instead.\n\n${astToString(source)}`
}

function oneOrSeveral(schema: object): object {
  return { anyOf: [schema, { type: 'array', items: schema }] }
}

function renderErrors(): string {
  const entries = Object.entries<ErrorEntry>(errorRegistry)
  const statuses = [...new Set(entries.map(([, entry]) => entry.status))].sort((a, b) => a - b)
  const sections = statuses.map((status) => {
    const rows = entries
      .filter(([, entry]) => entry.status === status)
      .map(([name, { wireCode, message, advice, details = [], retryable }]) => [
        code(wireCode ?? name) + (retryable ? ' (retry)' : ''),
        `${message} ${advice}`,
        details.map(code).join(', '),
      ])
    return `## ${status}\n\n${table(['Code', 'Meaning and what to do', '`details`'], rows)}`
  })
  const introduction =
    'Every error response has the body `{status, code, message, details}`. Use `code` in programs, and show `message` to people. Retry the same request only if the code is marked with *(retry)*.'
  return page('Errors', introduction, sections)
}

function renderEvents(): string {
  const sections = webhooks.map((webhook) => {
    const rows = Object.entries(webhook.types).map(([type, meaning]) => [code(type), meaning])
    const description = webhook.description ? `\n\n${webhook.description}` : ''
    return `## ${webhook.summary}${description}\n\nSchema: ${code(webhook.component)}\n\n${table(['Type', 'When'], rows)}`
  })
  const introduction =
    'Corridor sends every event as a POST of `{id, type, timestamp, data}` to the webhook endpoint. If Corridor sends an event again, the id stays the same.'
  return page('Events', introduction, sections)
}

/** An index. Descriptions, fields, errors and events are on the page of each tag, which scripts/docs generates from the document. */
function renderOperations(): string {
  const sections = features
    .filter(({ operations }) => operations.length > 0)
    .map(({ name, operations }) => {
      const items = operations.map(({ id, method, path, permissions, deprecated }) => {
        const usual = method === 'GET' ? 'VIEW' : 'MANAGE'
        const notes = [
          ...(permissions.join() === usual ? [] : [permissions.join(' or ') || 'no permission']),
          ...(deprecated ? ['deprecated'] : []),
        ]
        return `- ${code(`${method} ${path}`)} ${code(id)}${notes.length > 0 ? ` (${notes.join(', ')})` : ''}`
      })
      return `## ${name}\n\n${items.join('\n')}`
    })
  const introduction =
    'This page lists all operations with their ids. A `GET` requires the permission `VIEW`, and other methods require `MANAGE`, unless the list names another permission. Paths are relative to the base URL with the version. For descriptions, fields, errors, events and examples, see the documentation of your installation (`/docs`) or `openapi/openapi.json`.'
  return page('Operations', introduction, sections)
}
