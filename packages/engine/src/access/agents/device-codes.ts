import { failed, ok, type Result, upperAscii } from '@corridor/kernel'
import { commit } from '../../mechanisms/db/apply.ts'
import type { Engine } from '../../mechanisms/feature/engine.ts'
import { agentTokenHash } from '../../mechanisms/http/authenticate.ts'
import { perMinute } from '../../mechanisms/http/rate-limits.ts'
import { type Failure, fail } from '../../vocabulary/errors.ts'
import type { Reply } from '../../vocabulary/operation.ts'
import type { Scope } from '../../vocabulary/scope.ts'
import { decideRedeem, type NewCode } from './rules.ts'
import { findBookOfCode, loadAgent, loadDeviceCode } from './store.ts'

/** Codes that people copy from one screen to another: without letters that look like digits (wallets 12.1). */
const alphabet = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'
const codePattern = /^SVC-AGENT-[A-HJ-NP-Z2-9]{4}-[A-HJ-NP-Z2-9]{4}$/

type Makers = Pick<Engine, 'world' | 'keys'>

/** A code of 40 random bits; only its keyed hash is stored. */
export function newDeviceCode({ world, keys }: Makers): NewCode {
  // The alphabet has 32 letters, so that the remainder favours none.
  const letters = [...world.randomBytes(8)].map((byte) => alphabet[byte % alphabet.length]).join('')
  const code = `SVC-AGENT-${letters.slice(0, 4)}-${letters.slice(4)}`
  return { id: world.id('AgentDeviceCode'), code, hash: codeHash(keys, code) }
}

function codeHash(keys: Engine['keys'], code: string): string {
  return keys.searchHash('device code', code)
}

/** The code as it was made, or undefined for what cannot be one. Case and spaces around it mean nothing. */
export function readCode(text: string): string | undefined {
  if (text.length > 64) return undefined
  const code = upperAscii(text.replace(/[\s\p{Cf}]/gu, ''))
  return codePattern.test(code) ? code : undefined
}

const unknownCode = (id: string) => failed(fail('REFERENCE_NOT_FOUND', { resourceType: 'DeviceCode', id }))

/** A code of the book whose agent is still there, and the agent. */
export async function requireDeviceCode({ database, keys }: Engine, scope: Scope, text: string) {
  const given = readCode(text)
  const code = given && (await loadDeviceCode(database, scope, codeHash(keys, given)))
  const agent = code && (await loadAgent(database, scope, code.agentId))
  return given && code && agent ? ok({ text: given, code, agent }) : unknownCode(text)
}

/**
 * Exchanges a code for the access token of its agent: for whoever shows it first (wallets 12.1).
 * REFERENCE_NOT_FOUND, INVALID_INPUT with the reason, or RATE_LIMITED for an address that tries too often.
 */
export async function redeemDeviceCode(
  engine: Engine,
  text: string,
  source: string,
): Promise<Result<Reply, Failure>> {
  const { database, world, keys, adapters } = engine
  const factors = Object.values(adapters).map(({ rules }) => rules.rateLimitFactor)
  // Whoever guesses meets this one, whatever the codes are of.
  const tried = take(engine, source, Math.max(...factors), 'every')
  if (tried) return failed(tried)
  const given = readCode(text)
  const book = given === undefined ? undefined : await findBookOfCode(database, codeHash(keys, given))
  // Of which environment a code is shows only when it is found: one that is unknown has the lower limit, too.
  const limited = take(engine, source, book ? adapters[book.environment].rules.rateLimitFactor : 1, 'known')
  if (limited) return failed(limited)
  if (!book) return unknownCode(text)
  const scope = await engine.clock.scope(book, { id: 'device-code', permissions: [] })
  const token = `gat_${Buffer.from(world.randomBytes(20)).toString('hex')}`
  const credential = { token, hash: agentTokenHash(keys, token) }
  return commit(engine.applier, scope, async () => {
    const found = await requireDeviceCode(engine, scope, text)
    return found.ok ? decideRedeem(scope, found.value.code, found.value.agent, credential) : found
  })
}

/** Counts a try of an address in one of its budgets: so many times the operator's limit a minute. */
function take(engine: Engine, source: string, factor: number, budget: string): Failure | undefined {
  const { limiter, world, settings } = engine
  const limit = perMinute(settings.rateLimits.redemptionsPerMinute * factor)
  if (!limit) return undefined
  const state = limiter.take(`redeem ${budget} ${factor} ${source}`, limit, world.now())
  return state.allowed ? undefined : { ...fail('RATE_LIMITED'), retryAfterSeconds: state.resetSeconds }
}
