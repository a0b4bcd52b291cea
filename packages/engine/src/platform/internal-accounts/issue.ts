import { failed, ok, type Result } from '@corridor/kernel'
import type { Engine } from '../../mechanisms/feature/engine.ts'
import type { Issued, PayInToIssue } from '../../ports/instructions.ts'
import { type PaymentInstructions, textOf } from '../../reference/account-types/index.ts'
import { type Failure, fail } from '../../vocabulary/errors.ts'
import type { Environment } from '../../vocabulary/scope.ts'
import { type InternalAccount, platformOwner } from './store.ts'

type Outside = Pick<Engine, 'world' | 'adapters'>

/**
 * The coordinates of an account that becomes active for the first time; embedded wallets have none (accounts
 * 3.3). Fails with NOT_IMPLEMENTED where nobody issues any, and SERVICE_UNAVAILABLE as long as there is no
 * answer. Asks a third party: never inside a transaction.
 */
export async function issueForAccount(
  { world, adapters }: Outside,
  environment: Environment,
  account: Pick<InternalAccount, 'id' | 'ownerId' | 'currency' | 'type' | 'fundingReference'>,
): Promise<Result<PaymentInstructions[], Failure>> {
  const { id: accountId, ownerId, currency, type, fundingReference: reference } = account
  if (type === 'EMBEDDED_WALLET') return ok([])
  const issuer = adapters[environment].instructions(currency)
  if (!issuer) return failed(noIssuer())
  const entries = await ask(world, reference, () => issuer.forAccount({ accountId, currency, reference }))
  if (!entries) return failed(fail('SERVICE_UNAVAILABLE', { reason: 'INSTRUCTIONS_PENDING' }))
  return ok(entries.map((entry) => ({ ...entry, isPlatformAccount: ownerId === platformOwner })))
}

/** How a realtime quote is paid in; the quote cannot be had without. Never inside a transaction. */
export async function issueForQuote(
  { world, adapters }: Outside,
  environment: Environment,
  payIn: PayInToIssue,
): Promise<Result<PaymentInstructions[], Failure>> {
  const issuer = adapters[environment].instructions(payIn.currency)
  if (!issuer) return failed(noIssuer())
  const entries = await ask(world, payIn.reference, () => issuer.forQuote(payIn))
  return entries ? ok(entries) : failed(fail('QUOTE_REQUEST_FAILED', { reason: 'INSTRUCTIONS' }))
}

function noIssuer(): Failure {
  return fail('NOT_IMPLEMENTED', { reason: 'NO_INSTRUCTION_ISSUER' })
}

/** What was issued; undefined as long as nothing is known. */
async function ask(
  { log }: Outside['world'],
  reference: string,
  question: () => Promise<Issued>,
): Promise<PaymentInstructions[] | undefined> {
  let issued: Issued
  try {
    issued = await question()
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    log.error({ error: message }, 'could not issue payment instructions')
    return undefined
  }
  if (issued.status === 'PENDING') return undefined
  // The answer to another question would send money to somebody else.
  const foreign = issued.entries.some(({ accountOrWalletInfo: info }) => {
    const named = textOf(info, 'reference')
    return named !== undefined && named !== reference
  })
  if (!foreign) return [...issued.entries]
  log.error({}, 'payment instructions have another reference than requested')
  return undefined
}
