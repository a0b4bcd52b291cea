import type { Instant } from '@corridor/kernel'
import type { Engine } from '../../mechanisms/feature/engine.ts'
import type { Attempts, AuthMethod } from '../../platform/wallet-credentials/index.ts'
import { type Failure, fail } from '../../vocabulary/errors.ts'
import type { Scope } from '../../vocabulary/scope.ts'

/**
 * Challenges and failed verifications of one credential, counted over the last minute (wallets 5.4). They are kept
 * with the credential, so that every process counts the same.
 */
export type Limited = 'challenges' | 'failures'

const windowMs = 60_000
/** More than any limit that makes sense. */
const mostKept = 1_000

/** RATE_LIMITED while a credential has had its share, with the time until the oldest is forgotten. */
export function limitRefusal(
  { settings, adapters }: Pick<Engine, 'settings' | 'adapters'>,
  scope: Scope,
  { attempts }: AuthMethod,
  what: Limited,
): Failure | undefined {
  const { walletChallengesPerMinute, walletFailuresPerMinute } = settings.rateLimits
  const perMinute = what === 'challenges' ? walletChallengesPerMinute : walletFailuresPerMinute
  const most = perMinute * adapters[scope.environment].rules.walletLimitFactors[what]
  if (most === 0) return undefined
  const recent = within(attempts[what], scope.now)
  if (recent.length < most) return undefined
  const freeAt = recent[recent.length - most]! + windowMs
  return { ...fail('RATE_LIMITED'), retryAfterSeconds: Math.max(1, Math.ceil((freeAt - scope.now) / 1000)) }
}

/** The attempts with one more. */
export function counted(attempts: Attempts, what: Limited, now: Instant): Attempts {
  return { ...attempts, [what]: [...within(attempts[what], now), now].slice(-mostKept) }
}

function within(times: readonly Instant[], now: Instant): Instant[] {
  return times.filter((time) => time > now - windowMs)
}
