import { type ErrorEntry, errorRegistry } from '../../packages/engine/src/vocabulary/errors.ts'

/**
 * What the SDK knows of each operation, from the published document: how it is called (`corridor.quotes.create`),
 * which request that is, and its types.
 */

interface PublishedOperation {
  readonly operationId: string
  readonly summary: string
  readonly description?: string
  readonly deprecated?: boolean
  readonly security: readonly object[]
  readonly parameters?: readonly { name: string; in: string; required?: boolean }[]
  readonly requestBody?: { required?: boolean; content: Readonly<Record<string, object>> }
  readonly responses: Readonly<Record<string, { content?: Readonly<Record<string, { schema: Schema }>> }>>
}

interface Schema {
  readonly $ref?: string
  readonly properties?: Readonly<Record<string, { readonly type?: string }>>
}

export interface PublishedDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, PublishedOperation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

interface Call {
  /** `customers.externalAccounts.create`. */
  readonly name: string
  readonly method: string
  readonly path: string
  readonly operation: PublishedOperation
}

/** Names that do not follow from the address: actions that are nouns there, and resources that are both. */
const names: Readonly<Record<string, string>> = {
  confirmBeneficiaryTrust: 'customers.externalAccounts.confirmTrust',
  confirmBeneficiaryUntrust: 'customers.externalAccounts.confirmUntrust',
  confirmCustomerEmailVerification: 'customers.confirmEmail',
  confirmCustomerPhoneVerification: 'customers.confirmPhone',
  confirmScaFactorEnrollment: 'sca.factors.confirm',
  createCustomerKycLink: 'customers.createKycLink',
  createStablecoinBurn: 'stablecoins.burn',
  createStablecoinMint: 'stablecoins.mint',
  deleteSandboxFaults: 'sandbox.faults.deleteAll',
  findInternalAccounts: 'internalAccounts.list',
  forkSandbox: 'sandbox.worlds.create',
  getAgentDeviceCodeStatus: 'agents.deviceCodes.status',
  getAgentMe: 'agents.me.get',
  listAgentApprovals: 'agents.approvals.list',
  lookupExternalAccount: 'receiver.lookupExternalAccount',
  lookupUma: 'receiver.lookupUma',
  nextListenerDeliveries: 'webhookListeners.next',
  openWebhookListener: 'webhookListeners.open',
  reportListenerResults: 'webhookListeners.report',
  requestStablecoinGridEnablement: 'stablecoins.requestGridEnablement',
  resendQuoteScaCode: 'quotes.resendAuthorizationCode',
  streamEvents: 'webhookEvents.position',
  startScaFactorEnrollment: 'sca.factors.enroll',
  startTwoFactorReset: 'sca.factors.reset.start',
  listScaFactors: 'sca.factors.list',
  receiveInboundPayment: 'sandbox.inboundPayments.create',
  getTwoFactorResetStatus: 'sca.factors.reset.get',
  search: 'search',
  uploadCustomersCsv: 'customers.bulk.uploadCsv',
}

/** Verbs of POST that make a resource of the collection they are sent to. */
const creating = /^(create|upload|register|link|agentCreate|regenerate)[A-Z]/

function callsOf(document: PublishedDocument): Call[] {
  const calls = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, operation]) => operation.operationId !== undefined)
      .map(([method, operation]) => ({
        name: names[operation.operationId] ?? nameOf(document, method, path, operation),
        method: method.toUpperCase(),
        path,
        operation,
      })),
  )
  const sorted = calls.sort((a, b) => (a.name < b.name ? -1 : 1))
  for (const [index, { name }] of sorted.entries()) {
    const clash = sorted.find((other, at) => at !== index && `${other.name}.`.startsWith(`${name}.`))
    if (clash)
      throw new Error(`${name} is a call of the SDK and so is ${clash.name}: give one a name of its own`)
  }
  return sorted
}

function nameOf(document: PublishedDocument, method: string, path: string, operation: PublishedOperation) {
  const segments = path.split('/').slice(1)
  const words = segments.filter((each) => !each.startsWith('{')).map(camelCase)
  const endsInId = segments.at(-1)!.startsWith('{')
  const chain = words.join('.')
  if (method === 'patch') return `${chain}.update`
  if (method === 'put') return `${chain}.replace`
  if (method === 'delete') return `${chain}.delete`
  if (method === 'get') return `${chain}.${!endsInId && isList(document, operation) ? 'list' : 'get'}`
  const isAction = !creating.test(operation.operationId) || /\/challenge$/.test(path)
  return isAction ? chain : `${chain}.create`
}

function camelCase(segment: string): string {
  return segment.replace(/[-_]([a-z])/g, (_, letter: string) => letter.toUpperCase())
}

function successOf({ responses }: PublishedOperation): Schema | undefined {
  const [, response] = Object.entries(responses).find(([status]) => Number(status) < 300)!
  return response.content?.['application/json']?.schema
}

function resolved(document: PublishedDocument, schema: Schema | undefined): Schema | undefined {
  return schema?.$ref ? document.components.schemas[schema.$ref.split('/').at(-1)!] : schema
}

function isList(document: PublishedDocument, operation: PublishedOperation): boolean {
  return resolved(document, successOf(operation))?.properties?.data?.type === 'array'
}

const warning = '// Generated by `npm run generate` from openapi/openapi.json; change the source instead.\n'

/** `[name, operationId, method, path, names of the query, how it answers, what it is]` of every call. */
export function renderSdkOperations(document: PublishedDocument): string {
  const rows = callsOf(document).map(({ name, method, path, operation }) => {
    const { parameters = [], requestBody, security } = operation
    const query = parameters.filter((each) => each.in === 'query')
    const row = {
      name,
      id: operation.operationId,
      method,
      path,
      ...(query.length > 0 ? { query: query.map((each) => each.name) } : {}),
      ...(query.some(({ required }) => required)
        ? { requiredQuery: query.filter(({ required }) => required).map((each) => each.name) }
        : {}),
      ...(requestBody ? { body: bodyKind(requestBody.content) } : {}),
      ...(requestBody?.required ? { requiredBody: true } : {}),
      ...(isList(document, operation) && method === 'GET' ? { isList: true } : {}),
      ...(security.length === 0 ? { isOpen: true } : {}),
      ...(parameters.some((each) => each.name === 'Idempotency-Key') ? { takesKey: true } : {}),
      summary: operation.summary,
    }
    return `  ${JSON.stringify(row)},`
  })
  return `${warning}
import type { OperationRow } from '../operation-row.ts'

export const operationTable: readonly OperationRow[] = [
${rows.join('\n')}
]
`
}

function bodyKind(content: object): 'form' | 'json' {
  return 'multipart/form-data' in content ? 'form' : 'json'
}

interface Tree {
  [name: string]: Tree | Call
}

/** The interface of the client: a tree of resources with their calls. */
export function renderSdkResources(document: PublishedDocument): string {
  const tree: Tree = {}
  for (const call of callsOf(document)) {
    const parts = call.name.split('.')
    let node = tree
    for (const part of parts.slice(0, -1)) {
      node[part] ??= {}
      node = node[part] as Tree
    }
    node[parts.at(-1)!] = call
  }
  const imports =
    "import type { Answer, Body, Item, Query, RequestOptions } from '../operation-types.ts'\nimport type { PagedList } from '../pages.ts'\n"
  return `${warning}\n${imports}\nexport interface Resources ${renderTree(document, tree, '  ')}\n`
}

function renderTree(document: PublishedDocument, tree: Tree, indent: string): string {
  const members = Object.entries(tree).map(([name, node]) =>
    isCall(node)
      ? `${comment(node, indent)}${indent}${name}(${parametersOf(node)}): ${answerOf(document, node)}`
      : `${indent}readonly ${name}: ${renderTree(document, node, `${indent}  `)}`,
  )
  return `{\n${members.join('\n')}\n${indent.slice(2)}}`
}

const isCall = (node: Tree | Call): node is Call => 'operation' in node && typeof node.name === 'string'

function comment({ operation, method, path }: Call, indent: string): string {
  const lines = [`${operation.summary}: \`${method} ${path}\`.`]
  if (operation.deprecated) lines.push('@deprecated')
  return `${indent}/** ${lines.join(' ')} */\n`
}

function parametersOf({ path, operation }: Call): string {
  const { operationId, parameters = [], requestBody } = operation
  const ids = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => `${name}: string`)
  const query = parameters.filter((each) => each.in === 'query')
  const isQueryNeeded = query.some(({ required }) => required)
  const bodyType =
    requestBody && bodyKind(requestBody.content) === 'form' ? 'FormData' : `Body<'${operationId}'>`
  const body = requestBody?.required ? [`body: ${bodyType}`] : []
  // What may be left out stands among the options: else nobody could tell one from the other.
  const optional = requestBody && !requestBody.required ? ` & { readonly body?: ${bodyType} }` : ''
  const asked = query.length > 0 ? [`query${isQueryNeeded ? '' : '?'}: Query<'${operationId}'>`] : []
  return [...ids, ...body, ...asked, `options?: RequestOptions${optional}`].join(', ')
}

function answerOf(document: PublishedDocument, { method, operation }: Call): string {
  const { operationId } = operation
  if (method === 'GET' && isList(document, operation)) return `PagedList<Item<'${operationId}'>>`
  return `Promise<Answer<'${operationId}'>>`
}

/** Types of the keys of `details` that are not text. */
const detailTypes: Readonly<Record<string, string>> = {
  errors: 'readonly { readonly field: string; readonly message: string }[]',
  missingFields: 'readonly string[]',
  supported: 'readonly string[]',
  supportedVersions: 'readonly string[]',
  allowed: 'readonly string[]',
  providerAccountIds: 'readonly string[]',
  stablecoinProviderAccountIds: 'readonly string[]',
  min: 'number',
  max: 'number',
  maxBytes: 'number',
  available: 'number',
  required: 'number',
  shortfall: 'number',
  limit: 'number',
  used: 'number',
  failedAttempts: 'number',
  suspended: 'boolean',
}

/** The codes of errors with what their details carry. */
export function renderSdkErrors(): string {
  const byCode = new Map<string, Set<string>>()
  for (const [name, { wireCode = name, details = [] }] of Object.entries<ErrorEntry>(errorRegistry)) {
    byCode.set(wireCode, new Set([...(byCode.get(wireCode) ?? []), ...details]))
  }
  const rows = [...byCode]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([code, keys]) => {
      const members = [...keys].map((key) => `readonly ${key}?: ${detailTypes[key] ?? 'string'}`)
      return `  readonly ${code}: { ${[...members, 'readonly [key: string]: unknown'].join('; ')} }`
    })
  return `${warning.replace('openapi/openapi.json', 'the registry of errors')}
/** The details of each code. A server may add keys. */
export interface ErrorDetails {
${rows.join('\n')}
}
`
}

/** Every event that a webhook may carry. */
export function renderSdkEvents(components: readonly string[], types: readonly string[]): string {
  const members = components.map((name) => `  | components['schemas']['${name}']`)
  return `${warning}
import type { components } from './api.ts'

/** The body of a webhook; its \`type\` says which. */
export type WebhookEvent =
${members.join('\n')}

/** Every \`type\`. */
export const eventTypes: readonly WebhookEvent['type'][] = [
${types.map((type) => `  '${type}',`).join('\n')}
]
`
}
