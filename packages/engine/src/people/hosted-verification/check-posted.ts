import type { FieldError } from '@corridor/kernel'
import type { BodyCheck } from '../../mechanisms/feature/bound.ts'
import type { Engine } from '../../mechanisms/feature/engine.ts'
import { controlCharacters, toFieldFailure } from '../../mechanisms/http/fields.ts'
import { withFileNames } from '../../mechanisms/http/multipart.ts'
import { type CompiledOperation, compileOperations } from '../../mechanisms/http/validate.ts'
import type { Operation } from '../../vocabulary/operation.ts'
import type { Scope } from '../../vocabulary/scope.ts'
import { checkNewOwner, createBeneficialOwner } from '../beneficial-owners/index.ts'
import { checkUpdate, updateCustomerById } from '../customers/index.ts'
import { checkUpload, uploadOperation } from '../documents/index.ts'

/** The page takes exactly what the API takes: the same schemas, and the same rules beside them. */
const checked = {
  details: { operation: updateCustomerById, check: checkUpdate },
  owner: { operation: createBeneficialOwner, check: checkNewOwner },
  document: { operation: uploadOperation, check: checkUpload },
} as const satisfies Readonly<Record<string, { operation: Operation; check: BodyCheck }>>

let compiled: ReadonlyMap<Operation, CompiledOperation> | undefined

export async function problemsOfPosted(
  engine: Engine,
  scope: Scope,
  kind: keyof typeof checked,
  body: Readonly<Record<string, unknown>>,
  params: Readonly<Record<string, string>> = {},
): Promise<readonly FieldError[]> {
  const { operation, check } = checked[kind]
  compiled ??= compileOperations(Object.values(checked).map((each) => each.operation))
  const named = withFileNames(body)
  const errors = compiled.get(operation)?.body?.(named) ?? []
  const problems = [...controlCharacters(named), ...(await check(engine, scope, body, params))]
  if (errors.length + problems.length === 0) return []
  return toFieldFailure(errors, problems).details.errors as readonly FieldError[]
}
