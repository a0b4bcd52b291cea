import { failed, type Result } from '@corridor/kernel'
import type { ErrorObject } from 'ajv'
import type { Engine } from '../../mechanisms/feature/engine.ts'
import { controlCharacters, toFieldFailure } from '../../mechanisms/http/fields.ts'
import { compileOperations } from '../../mechanisms/http/validate.ts'
import { loadConfig, loadDomainHolder, loadPlatform } from '../../platform/platforms/index.ts'
import type { Decision } from '../../vocabulary/decision.ts'
import { type Failure, type FieldProblem, fail } from '../../vocabulary/errors.ts'
import type { Scope } from '../../vocabulary/scope.ts'
import type { CustomerCreateRequest } from '../customers/contract.ts'
import {
  type CreationFacts,
  checkCustomer,
  createCustomerOperation,
  loadTakenAddresses,
  loadTakenIds,
  makeCustomer,
  normalizeUmaAddress,
  parseUmaAddress,
} from '../customers/index.ts'
import { byColumn, importedOf, missingCells, type Row, toRequest } from './columns.ts'
import type { ParsedRow } from './file.ts'
import { type RowOutcome, tooLongRow } from './rules.ts'

/** What rows are measured against, loaded once for all rows of a step. */
interface Facts extends CreationFacts {
  readonly domainHolders: ReadonlyMap<string, string | undefined>
  /** Grow with every row that is accepted: the first one wins (customers 6.2). */
  readonly takenIds: Map<string, string>
  readonly takenAddresses: Set<string>
}

/** Decides each row as if it had come alone, with the checks of a single creation (customers 4.3, 6.1). */
export async function decideRows(
  engine: Engine,
  scope: Scope,
  rows: readonly ParsedRow[],
): Promise<RowOutcome[]> {
  const facts = await loadFacts(engine, scope, rows)
  const outcomes: RowOutcome[] = []
  // One after the other: what the first takes is taken for the second.
  for (const { row, isTooLong } of rows) {
    const made = isTooLong ? failed(tooLongRow) : await decideRow(engine, scope, row, facts)
    outcomes.push({ row, made })
  }
  return outcomes
}

async function loadFacts({ database }: Engine, scope: Scope, rows: readonly ParsedRow[]): Promise<Facts> {
  const requests = rows.map(({ row }) => toRequest(row))
  const ids = requests.map(({ platformCustomerId }) => platformCustomerId as string | undefined)
  const addresses = requests.map(({ umaAddress }) => umaAddress as string | undefined)
  const domains = new Set(addresses.map((address) => parseUmaAddress(address ?? '')?.domain))
  const holders = [...domains]
    .filter((domain) => domain !== undefined)
    .map(async (domain) => {
      return [domain, await loadDomainHolder(database, scope, domain)] as const
    })
  return {
    config: await loadConfig(database, scope),
    platform: await loadPlatform(database, scope),
    domainHolders: new Map(await Promise.all(holders)),
    takenIds: new Map(
      await loadTakenIds(
        database,
        scope,
        ids.filter((id) => id !== undefined),
      ),
    ),
    takenAddresses: new Set(
      await loadTakenAddresses(
        database,
        scope,
        addresses.filter((address) => address !== undefined).map(normalizeUmaAddress),
      ),
    ),
  }
}

async function decideRow(
  engine: Engine,
  scope: Scope,
  row: Row,
  facts: Facts,
): Promise<Result<Decision, Failure>> {
  const body = toRequest(row)
  const wrong = fieldFailure(engine, scope, { row, body, facts })
  if (wrong) return failed(wrong)
  const request = body as CustomerCreateRequest
  const { platformCustomerId = '', umaAddress = '' } = request
  const customerId = facts.takenIds.get(platformCustomerId)
  if (customerId !== undefined) return failed(fail('CONFLICT', { field: 'platformCustomerId', customerId }))
  const address = normalizeUmaAddress(umaAddress)
  if (facts.takenAddresses.has(address)) {
    return failed(fail('UMA_ADDRESS_EXISTS', { umaAddress: address }))
  }
  const made = await makeCustomer(engine, scope, request, { ...facts, imported: importedOf(row) })
  if (made.ok) {
    facts.takenAddresses.add(address)
    const id = made.value.inserts?.find(({ table }) => table === 'customers')?.row.id
    facts.takenIds.set(platformCustomerId, String(id))
  }
  return made
}

/** Every wrong cell at once, named after its column. */
function fieldFailure(
  engine: Engine,
  scope: Scope,
  { row, body, facts }: { row: Row; body: Record<string, unknown>; facts: Facts },
): Failure | undefined {
  const address = typeof body.umaAddress === 'string' ? parseUmaAddress(body.umaAddress) : undefined
  const missing: FieldProblem[] = missingCells(row)
  const checked = checkCustomer(
    {
      now: scope.now,
      platformId: scope.platformId,
      rules: engine.adapters[scope.environment].rules,
      config: facts.config,
      domainHolder: address && facts.domainHolders.get(address.domain),
      stored: undefined,
    },
    body,
  )
  const shape = (checkShape()(body) ?? []).filter((error) => !isLeftOut(error))
  const others = [...missing, ...controlCharacters(body), ...checked]
  if (shape.length + others.length === 0) return undefined
  return rename(toFieldFailure(shape, others))
}

/** The validator of a single creation, compiled when the first row needs it. */
const checkShape = (() => {
  let known: ((body: unknown) => readonly ErrorObject[] | undefined) | undefined
  return () => {
    known ??= compileOperations([createCustomerOperation]).get(createCustomerOperation)!.body!
    return known
  }
})()

/** What a file need not tell of a business (customers 6.1). */
function isLeftOut({ keyword, instancePath, params }: ErrorObject): boolean {
  if (keyword !== 'required' || instancePath !== '/businessInfo') return false
  return ['taxId', 'incorporatedOn'].includes(String(params.missingProperty))
}

function rename(failure: Failure): Failure {
  const errors = byColumn((failure.details.errors ?? []) as FieldProblem[])
  const [only] = errors
  const { field: _field, ...details } = failure.details
  return {
    ...failure,
    details: { ...details, errors, ...(errors.length === 1 ? { field: only!.field } : {}) },
  }
}
