import { type AnyRequest, type OperationRow, type Page, PagedList } from '@corridor/sdk'
import type { Context } from '../command.ts'

/** Whose operations are asked, and how: those of a platform by the methods of the client, those of operators by their address. */
export interface Asked {
  curl(context: Context, request: AnyRequest): string
  /** Before something is changed: refuses in production unless that is said and the name typed. */
  guard(row: OperationRow, context: Context, sent: Pick<Sent, 'query' | 'body'>): Promise<void>
  ask(row: OperationRow, context: Context, sent: Sent): unknown
}

interface Sent {
  readonly ids: readonly string[]
  /** With the ids in it. */
  readonly path: string
  readonly query: Readonly<Record<string, unknown>>
  readonly body: unknown
  readonly options: { readonly idempotencyKey?: string }
}

export const publishedAsked: Asked = {
  curl: (context, request) => context.client().curl(request),
  async guard(row, context) {
    if (!row.name.startsWith('sandbox.')) await context.guardProduction(row.summary)
  },
  ask(row, context, { ids, query, body, options }) {
    const method = row.name
      .split('.')
      .reduce<unknown>((node, name) => (node as Record<string, unknown>)[name], context.client()) as (
      ...given: unknown[]
    ) => unknown
    const more = { ...options, ...(row.requiredBody ? {} : { body }) }
    return method(...ids, ...(row.requiredBody ? [body] : []), ...(row.query ? [query] : []), more)
  },
}

/** Of which environments the money is; what is no environment counts as real until the API has refused it. */
const real: Readonly<Record<string, boolean>> = { SANDBOX: false, PRODUCTION: true }

export const operatorAsked: Asked = {
  // Of the operator's key, like of every secret, a command for a terminal has the variable.
  curl: (context, request) =>
    context
      .operator()
      .curl(request)
      .replace(
        '-u "$CORRIDOR_CLIENT_ID:$CORRIDOR_CLIENT_SECRET"',
        '-H "Authorization: Bearer $CORRIDOR_OPERATOR_KEY"',
      ),
  async guard(row, context, { query, body }) {
    const operator = context.operator()
    await context.guardProduction(row.summary, {
      baseUrl: operator.baseUrl,
      async isReal() {
        // What names its environment is of no other. Ids do not say it: then any production there counts.
        // Where the body of an operation has no environment, one that is put there is read by nobody.
        const inBody = row.namesEnvironment ? (body as { environment?: unknown } | undefined) : undefined
        const named = query.environment ?? inBody?.environment
        if (named !== undefined) return real[String(named)] !== false
        const { data } = await operator.request<Page<{ environment: string }>>({
          method: 'GET',
          path: '/operator/platforms',
        })
        return data.some(({ environment }) => real[environment] !== false)
      },
    })
  },
  ask(row, context, { path, query, body, options }) {
    const operator = context.operator()
    const read = (more: Readonly<Record<string, unknown>>) =>
      operator.request<never>(
        { method: row.method, path, query: { ...query, ...more }, ...(body === undefined ? {} : { body }) },
        options,
      )
    if (!row.isList) return read({})
    return new PagedList<unknown>((cursor) => read(cursor === undefined ? {} : { cursor }))
  },
}
