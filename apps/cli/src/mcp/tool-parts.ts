import type { Corridor } from '@corridor/sdk'
import { misused } from '../exit.ts'
import type { Means } from '../scenarios/scenario.ts'
import type { Confirmations } from './confirmations.ts'
import type { OperationSchemas } from './operation-schemas.ts'
import type { Tool } from './protocol.ts'

export interface ToolParts {
  readonly client: Corridor
  readonly schemas: OperationSchemas
  readonly confirmations: Confirmations
  /** Whether anything may be changed: in a sandbox. */
  readonly mayWrite: boolean
  readonly means: Means
}

export type Given = Readonly<Record<string, unknown>>

/** A tool before its answer is made into text. */
export type DescribedTool = Omit<Tool, 'run'> & { readonly work: (given: Given) => Promise<unknown> }

export const text = (description?: string) => ({
  type: 'string',
  minLength: 1,
  ...(description ? { description } : {}),
})

export const shape = (properties: Readonly<Record<string, object>>, required: readonly string[] = []) => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
})

export function needsSandbox({ mayWrite }: Pick<ToolParts, 'mayWrite'>): void {
  if (!mayWrite) throw misused('In production, agents can only read.', 'Connect to a sandbox.')
}
