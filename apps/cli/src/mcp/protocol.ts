/**
 * The Model Context Protocol over lines of JSON, as far as a server of tools needs it. The official library would bring a web
 * framework and a second schema language for these few methods, and reads no batches; tests use its client.
 */

/** The newest first: what is answered to a client that asks for another. */
const versions = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05']
/** The only version whose clients may send several messages in one line. */
const versionWithBatches = '2025-03-26'
const longestBatch = 100
const longestLine = 1_000_000

export interface ToolAnswer {
  readonly text: string
  readonly isError?: boolean
}

export interface Tool {
  readonly name: string
  readonly description: string
  readonly inputSchema: object
  /** `destructiveHint` where money may move. */
  readonly annotations: { readonly readOnlyHint: boolean; readonly destructiveHint?: boolean }
  /** Checks the arguments against `inputSchema` first. */
  run(given: unknown): Promise<ToolAnswer>
}

interface Message {
  readonly jsonrpc?: unknown
  readonly id?: unknown
  readonly method?: unknown
  readonly params?: Readonly<Record<string, unknown>> | null
}

/** Answers one line of a client; undefined for what wants no answer. */
export function answering(tools: readonly Tool[], version: string) {
  const byName = new Map(tools.map((tool) => [tool.name, tool]))
  let agreed = versions[0]

  return async (line: string): Promise<string | undefined> => {
    if (line.length > longestLine) return failure(null, -32600, 'the message is too long')
    let message: unknown
    try {
      message = JSON.parse(line)
    } catch {
      return failure(null, -32700, 'the message is not valid JSON')
    }
    if (!Array.isArray(message) || agreed !== versionWithBatches) return answer(message)
    if (message.length === 0 || message.length > longestBatch)
      return failure(null, -32600, `a batch has 1 to ${longestBatch} messages`)
    const answers: string[] = []
    for (const each of message) {
      const answered = await answer(each)
      if (answered !== undefined) answers.push(answered)
    }
    return answers.length === 0 ? undefined : `[${answers.join(',')}]`
  }

  async function answer(message: unknown): Promise<string | undefined> {
    const { jsonrpc, id, method, params: given } = (message ?? {}) as Message
    if (jsonrpc !== '2.0' || typeof method !== 'string')
      return failure(id ?? null, -32600, 'the message is not a valid request')
    if (id === undefined) return undefined
    const params = given ?? {}
    if (method === 'initialize') {
      const asked = String(params.protocolVersion)
      agreed = versions.includes(asked) ? asked : versions[0]
      return result(id, {
        protocolVersion: agreed,
        capabilities: { tools: {} },
        serverInfo: { name: 'corridor', version },
      })
    }
    if (method === 'ping') return result(id, {})
    if (method === 'tools/list') {
      return result(id, { tools: tools.map(({ run: _, ...described }) => described) })
    }
    if (method !== 'tools/call') return failure(id, -32601, 'unknown method')
    const tool = byName.get(String(params.name))
    if (!tool) return failure(id, -32602, 'unknown tool')
    const { text, isError = false } = await tool.run(params.arguments ?? {})
    return result(id, { content: [{ type: 'text', text }], isError })
  }
}

const result = (id: unknown, value: object) => JSON.stringify({ jsonrpc: '2.0', id, result: value })
const failure = (id: unknown, code: number, message: string) =>
  JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } })
