import { toTimestamp } from '@corridor/kernel'
import { statement } from '../../mechanisms/db/driver.ts'
import type { Engine } from '../../mechanisms/feature/engine.ts'
import type { SealedColumn } from '../../mechanisms/keys/sealing.ts'
import type { Decision } from '../../vocabulary/decision.ts'
import { type Scope, silently } from '../../vocabulary/scope.ts'
import type { Transaction } from '../payments/index.ts'

/**
 * What a platform says about the receiver when it approves a payment (webhooks 3.4). The process that takes its answer may be
 * another than the one that keeps the institution waiting, so it is kept, sealed, for the seconds between.
 */

export const sealedPayeeInformation: SealedColumn = {
  table: 'uma_payee_information',
  column: 'sealed_part',
  row: 'id',
}

/** Longer than any institution is kept waiting. */
const keptMs = 60_000
const longestValue = 2_048

/** What stands for nothing, or is longer than it may be: no answer to what was asked. */
export function isMissing(value: unknown): boolean {
  if (value === undefined || value === null) return true
  if (typeof value === 'string' && value.trim() === '') return true
  return JSON.stringify(value).length > longestValue
}

const forgetOld = statement(
  'uma.forgetPayeeInformation',
  'delete from uma_payee_information where platform_id = $1 and environment = $2 and created_at < $3',
)

/** Keeps what was asked for, and nothing else, where an institution waits for it. */
export function keepPayeeInformation(
  { keys }: Pick<Engine, 'keys'>,
  scope: Scope,
  { id, ownerId, flow }: Transaction,
  given: unknown,
): Pick<Decision, 'inserts' | 'statements'> {
  const fields = flow.approval?.requestedFields ?? []
  const isAwaited = flow.counterparty !== undefined && fields.length > 0
  if (!isAwaited || typeof given !== 'object' || given === null) return {}
  const values = given as Readonly<Record<string, unknown>>
  const told = fields.filter(({ name }) => !isMissing(values[name])).map(({ name }) => [name, values[name]])
  if (told.length === 0) return {}
  const text = JSON.stringify(Object.fromEntries(told))
  const { platformId, environment, now } = scope
  return {
    statements: [{ statement: forgetOld, parameters: [platformId, environment, toTimestamp(now - keptMs)] }],
    inserts: [
      {
        table: 'uma_payee_information',
        row: {
          id,
          customer_id: ownerId,
          sealed_part: keys.seal(scope, sealedPayeeInformation, id, text),
          created_at: toTimestamp(now),
        },
      },
    ],
  }
}

const read = statement(
  'uma.payeeInformation',
  `select sealed_part as "sealed" from uma_payee_information
   where platform_id = $1 and environment = $2 and id = $3`,
)
const forget = statement(
  'uma.forgetPayeeInformationOf',
  'delete from uma_payee_information where platform_id = $1 and environment = $2 and id = $3',
)

/** By CustomerInfoFieldName; gone afterwards. */
export async function takePayeeInformation(
  { database, keys, applier }: Engine,
  scope: Scope,
  transactionId: string,
): Promise<Readonly<Record<string, unknown>>> {
  const parameters = [scope.platformId, scope.environment, transactionId]
  const [row] = await database.read<{ sealed: string }>(scope, read, parameters)
  if (!row) return {}
  await applier.apply(silently(scope), {
    statements: [{ statement: forget, parameters }],
    result: () => null,
  })
  return JSON.parse(keys.open(scope, sealedPayeeInformation, transactionId, row.sealed))
}
