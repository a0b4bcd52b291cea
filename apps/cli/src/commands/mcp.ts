import { createInterface } from 'node:readline'
import { Corridor } from '@corridor/sdk'
import type { Command } from '../command.ts'
import { confirmations } from '../mcp/confirmations.ts'
import { operationSchemas } from '../mcp/operation-schemas.ts'
import { answering } from '../mcp/protocol.ts'
import { toolsOf } from '../mcp/tools.ts'
import type { Terminal } from '../terminal.ts'
import { version } from '../version.ts'

export const mcp: Command = {
  words: ['mcp'],
  says: 'Start an MCP server on standard input and output',
  async run(context) {
    const { terminal } = context
    const client = context.client()
    const answer = answering(await agentTools(client, terminal), version)
    const lines = createInterface({ input: process.stdin, crlfDelay: Number.POSITIVE_INFINITY })
    // One after the other, so that a dry run is over before it is confirmed.
    for await (const line of lines) {
      if (line.trim() === '') continue
      const answered = await answer(line)
      if (answered !== undefined) terminal.out(answered)
    }
    return undefined
  },
}

/** The tools for this client; those that change something work where there is a sandbox clock. */
export async function agentTools(
  client: Corridor,
  { now, uuid, sleep }: Pick<Terminal, 'now' | 'uuid' | 'sleep'>,
) {
  const mayWrite = await client.sandbox.clock.get().then(
    () => true,
    (error: unknown) => {
      if (error instanceof Corridor.Error && error.status === 403) return false
      throw error
    },
  )
  const schemas = operationSchemas(() => client.request({ method: 'GET', path: '/openapi.json' }))
  return toolsOf({
    client,
    schemas,
    mayWrite,
    means: { sleep, uuid },
    confirmations: confirmations(now, uuid),
  })
}
