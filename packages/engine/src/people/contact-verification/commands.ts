import { failed, type Result, typedCode } from '@corridor/kernel'
import { commit } from '../../mechanisms/db/apply.ts'
import type { Engine } from '../../mechanisms/feature/engine.ts'
import { sealContent } from '../../notices/messages/index.ts'
import { type Failure, fail } from '../../vocabulary/errors.ts'
import type { Reply } from '../../vocabulary/operation.ts'
import type { Scope } from '../../vocabulary/scope.ts'
import { type Customer, keyOf, requireActive } from '../customers/index.ts'
import { channelRefusal, codeLifetimeMs, codeText, contactOf, decideConfirm, decideSend } from './rules.ts'
import { type Channel, loadContactCode } from './store.ts'

/** Sends a code to the address or number of a customer; it replaces the one before. */
export async function sendCode(
  engine: Engine,
  scope: Scope,
  { customerId, channel }: { customerId: string; channel: Channel },
): Promise<Result<Reply, Failure>> {
  const { world, keys, database } = engine
  const { messenger, codes, rules } = engine.adapters[scope.environment]
  const code = codes.issue('CONTACT_VERIFICATION')
  const messageId = world.id('Message')
  return commit(engine.applier, scope, async () => {
    const found = await requireActive(engine, scope, customerId)
    if (!found.ok) return found
    const customer = found.value
    const refusal = channelRefusal(customer, channel) ?? contactRefusal(customer, channel)
    if (refusal) return failed(refusal)
    if (!messenger.channels.includes(channel === 'email' ? 'EMAIL' : 'SMS')) {
      return failed(fail('NOT_IMPLEMENTED', { reason: 'NO_MESSAGE_PROVIDER', field: channel }))
    }
    const content = codeMessage(customer, channel, code)
    return decideSend(scope, {
      customer,
      channel,
      previous: await loadContactCode(database, scope, channel, customerId),
      codeHash: keys.hashSecret(codeText(customer, channel, code)),
      message: { id: messageId, contentSealed: sealContent(keyOf(customer), messageId, content) },
      resendMs: rules.contactResendMs,
    })
  })
}

function contactRefusal(customer: Customer, channel: Channel): Failure | undefined {
  if (contactOf(customer, channel) !== undefined) return undefined
  return fail('CONFLICT', { customerId: customer.id, reason: 'NO_CONTACT_ON_FILE' })
}

function codeMessage({ profile }: Customer, channel: Channel, code: string) {
  const minutes = codeLifetimeMs / 60_000
  return {
    to: (channel === 'email' ? profile.email : profile.phoneNumber)!,
    ...(channel === 'email' ? { subject: 'Your verification code' } : {}),
    text: `Your verification code is ${code}. It is valid for ${minutes} minutes. Do not share it with anyone.`,
    code,
  }
}

export async function confirmCode(
  engine: Engine,
  scope: Scope,
  { customerId, channel, code }: { customerId: string; channel: Channel; code: string },
): Promise<Result<Reply, Failure>> {
  const { database, keys } = engine
  return commit(engine.applier, scope, async () => {
    const found = await requireActive(engine, scope, customerId)
    if (!found.ok) return found
    const sent = await loadContactCode(database, scope, channel, customerId)
    const text = codeText(found.value, channel, typedCode(code))
    const isMatching = sent?.codeHash != null && keys.matchesSecret(text, sent.codeHash)
    return decideConfirm(scope, { customer: found.value, channel, sent, isMatching })
  })
}
