import { stateAfter } from '@corridor/kernel'
import type { Engine } from '../../mechanisms/feature/engine.ts'
import type { ContactCredentials } from '../../ports/contact-credentials.ts'
import type { Update } from '../../vocabulary/decision.ts'
import { changedAt } from '../../vocabulary/scope.ts'
import { otpMachine } from './machine.ts'
import { identityHash } from './provisioning.ts'
import {
  type AuthMethod,
  isIdentityHeld,
  loadAuthMethodsById,
  loadOwnedAuthMethods,
  sealAuthContent,
} from './store.ts'

/** The credentials that follow their customer's contacts (wallets 6). */
export const walletContactCredentials: ContactCredentials<Engine> = {
  async tied(engine, book, customerId, type) {
    const methods = await loadOwnedAuthMethods(engine, book, customerId, type)
    return methods.map(({ id }) => id)
  },

  isHeldByOthers(engine, book, { type, value }, ids) {
    const hash = identityHash(engine.keys, type, { nickname: value })
    return isIdentityHeld(engine, book, { type, hash, besides: ids })
  },

  async change(engine, scope, ids, { type, value }) {
    const methods = await loadAuthMethodsById(engine, scope, ids)
    if (methods.length < ids.length) return undefined
    const hash = identityHash(engine.keys, type, { nickname: value })
    return {
      updates: methods.map((method): Update => {
        const { id, version, dataKey, content, otp, updatedAt } = method
        return {
          table: 'auth_methods',
          id,
          from: ['ACTIVE'],
          version,
          set: {
            content: sealAuthContent(dataKey, id, { ...content, nickname: value }),
            identity_hash: hash,
            // A code that went to the old contact opens nothing any more.
            otp: superseded(otp),
            updated_at: changedAt(scope, updatedAt),
          },
        }
      }),
    }
  },
}

function superseded(otp: AuthMethod['otp']): AuthMethod['otp'] {
  return otp?.status === 'LIVE' ? { ...otp, status: stateAfter(otpMachine, 'supersede') } : otp
}
