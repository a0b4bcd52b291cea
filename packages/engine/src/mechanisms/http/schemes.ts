import { ok, type Result } from '@corridor/kernel'
import type { Operation } from '../../vocabulary/operation.ts'
import type { Authenticator, Freshness, LoginRefusal, OperatorIdentity, Principal } from './authenticate.ts'

/** What the schemes of this process check credentials with. */
export interface CredentialChecks {
  readonly authenticator: Authenticator
  readonly isOperatorKey: (key: string) => boolean | Promise<boolean>
}

/** A way of saying who calls. */
export interface AuthenticationScheme {
  /** The `WWW-Authenticate` of its 401. */
  readonly challenge: string
  /** The name of its entry in the published document; absent: it is not for platforms. */
  readonly documentedAs?: string
  /** Who calls, from a source whose failures are counted (rate-limits.ts). */
  readonly admit: (
    checks: CredentialChecks,
    authorization: string | undefined,
    source: string,
    freshness?: Freshness,
  ) => Promise<Result<Admission, LoginRefusal>>
}

/** Without a principal it is somebody who acts for no platform, whom no limits of platforms concern. */
export interface Admission {
  readonly principal?: Principal
  readonly operator?: OperatorIdentity
}

const basic = 'Basic realm="api", charset="UTF-8"'

/**
 * Every scheme, by the `auth` of the operations that ask for it (conventions 2). A principal whose actor carries a
 * customer is held to that customer by the database (vocabulary/scope.ts).
 */
export const schemes: Readonly<Record<Operation['auth'], AuthenticationScheme>> = {
  basic: {
    challenge: basic,
    documentedAs: 'BasicAuth',
    async admit({ authenticator }, authorization, source, freshness) {
      const principal = await authenticator.basic(authorization, source, freshness)
      return principal.ok ? ok({ principal: principal.value }) : principal
    },
  },
  agent: {
    challenge: 'Bearer realm="agents"',
    documentedAs: 'AgentAuth',
    async admit({ authenticator }, authorization, source, freshness) {
      const principal = await authenticator.agent(authorization, source, freshness)
      return principal.ok ? ok({ principal: principal.value }) : principal
    },
  },
  operator: {
    challenge: 'Bearer realm="operator"',
    async admit({ authenticator, isOperatorKey }, authorization, source, freshness) {
      const operator = await authenticator.operator(authorization, source, isOperatorKey, freshness)
      return operator.ok ? ok({ operator: operator.value }) : operator
    },
  },
  console: {
    // No scheme that a browser would ask for in a window of its own.
    challenge: 'Cookie realm="console"',
    async admit({ authenticator, isOperatorKey }, authorization, source, freshness) {
      if (/^basic /i.test(authorization ?? '')) {
        const principal = await authenticator.basic(authorization, source, freshness)
        return principal.ok ? ok({ principal: principal.value }) : principal
      }
      const operator = await authenticator.operator(authorization, source, isOperatorKey, freshness)
      return operator.ok ? ok({ operator: operator.value }) : operator
    },
  },
  none: { challenge: basic, admit: async () => ok({}) },
}
