import { stateAfter, typedCode } from '@corridor/kernel'
import type { Engine } from '../../mechanisms/feature/engine.ts'
import type { DataKey } from '../../mechanisms/keys/data-keys.ts'
import {
  newScalar,
  openOtpAttempt,
  otpTargetBundle,
  type PublicPoint,
  type parseOtpBundle,
  publicPointOf,
} from '../../mechanisms/wallet-crypto/index.ts'
import { queueMessage, sealContent } from '../../notices/messages/index.ts'
import { type Configuration, loadConfig } from '../../platform/platforms/index.ts'
import {
  type AuthMethod,
  type Otp,
  type OtpType,
  otpMachine,
  sealedOtpTargets,
} from '../../platform/wallet-credentials/index.ts'
import type { EmailSender } from '../../ports/messenger.ts'
import type { Decision } from '../../vocabulary/decision.ts'
import type { Scope } from '../../vocabulary/scope.ts'

const defaultLength = 6
const defaultLifeSeconds = 300

/** A code on its way to a contact, and what is kept of it (wallets 5.4). */
export interface IssuedOtp {
  /** For the row of the credential. */
  readonly columns: { readonly otp: Otp; readonly otp_target: string }
  /** What the client seals the code to. */
  readonly bundle: string
  /** To be committed with it. */
  readonly message: Required<Pick<Decision, 'inserts' | 'jobs'>>
}

/** Makes a code and a key for it. The code is kept as a keyed hash and the key sealed. */
export async function issueOtp(
  engine: Engine,
  scope: Scope,
  to: {
    readonly type: OtpType
    readonly contact: string
    readonly methodId: string
    readonly ownerId: string
    readonly dataKey: DataKey
  },
): Promise<IssuedOtp> {
  const { world, keys, database } = engine
  const { codes } = engine.adapters[scope.environment]
  const { embeddedWalletConfig: config } = await loadConfig(database, scope)
  const code = codes.issue('WALLET', {
    length: config?.otpLength ?? defaultLength,
    isAlphanumeric: config?.alphanumeric ?? false,
  })
  const target = newScalar(world)
  const id = world.uuid()
  const expiresAt = scope.now + (config?.expirationSeconds ?? defaultLifeSeconds) * 1000
  const messageId = world.id('Message')
  return {
    columns: {
      otp: { id, status: 'LIVE', codeHash: keys.hashSecret(codeText(id, code)), failures: 0, expiresAt },
      otp_target: to.dataKey.seal(sealedOtpTargets, to.methodId, Buffer.from(target).toString('hex')),
    },
    bundle: otpTargetBundle(publicPointOf(target), keys.quorumKey(scope.environment)),
    message: queueMessage(scope, {
      id: messageId,
      ownerId: to.ownerId,
      channel: to.type === 'EMAIL_OTP' ? 'EMAIL' : 'SMS',
      purpose: 'WALLET_SIGN_IN',
      contentSealed: sealContent(to.dataKey, messageId, codeMessage(to, code, config)),
      expiresAt,
    }),
  }
}

function codeText(id: string, code: string): string {
  return `${id}\n${code}`
}

function codeMessage(
  { type, contact }: { readonly type: OtpType; readonly contact: string },
  code: string,
  config: Configuration['embeddedWalletConfig'],
) {
  const name = config?.appName ? `${config.appName} ` : ''
  const minutes = Math.max(1, Math.floor((config?.expirationSeconds ?? defaultLifeSeconds) / 60))
  return {
    to: contact,
    ...(type === 'EMAIL_OTP' ? { subject: `Your ${name}sign-in code`, sender: senderOf(config) } : {}),
    text: `Your ${name}sign-in code is ${code}. It is valid for ${minutes} minutes. Do not share it with anyone.`,
    code,
  }
}

/** Whom the reader has the code from (customers 2). Answers go to the platform, if it says where. */
function senderOf(config: Configuration['embeddedWalletConfig']): EmailSender {
  const { sendFromEmailSenderName = 'Notifications', sendFromEmailAddress, logoUrl } = config ?? {}
  const replyTo = config?.replyToEmailAddress ?? sendFromEmailAddress
  return { name: sendFromEmailSenderName, ...(replyTo ? { replyTo } : {}), ...(logoUrl ? { logoUrl } : {}) }
}

/** What an attempt came to: the key that the session is to have, or why not, and the code as it is afterwards. */
export type OtpVerdict =
  | { readonly otp: Otp; readonly publicKey: PublicPoint }
  | { readonly otp: Otp; readonly reason: string }
  | { readonly reason: string }

const mostFailures = 5

/** Holds an attempt against the newest code (wallets 5.5). A code that is right is used up by it. */
export async function tryOtp(
  { keys }: Pick<Engine, 'keys'>,
  scope: Scope,
  { id, otp, otpTarget, dataKey }: AuthMethod,
  bundle: NonNullable<ReturnType<typeof parseOtpBundle>>,
): Promise<OtpVerdict> {
  if (otp?.status !== 'LIVE' || otpTarget === null || scope.now >= otp.expiresAt) {
    return { reason: 'No pending OTP for this credential' }
  }
  const failures = otp.failures + 1
  const status = failures >= mostFailures ? stateAfter(otpMachine, 'lock') : otp.status
  const failedOtp: Otp = { ...otp, failures, status }
  const target = Uint8Array.from(Buffer.from(dataKey.open(sealedOtpTargets, id, otpTarget), 'hex'))
  const attempt = await openOtpAttempt(target, bundle)
  if (!attempt) return { otp: failedOtp, reason: 'Invalid OTP bundle' }
  if (!keys.matchesSecret(codeText(otp.id, typedCode(attempt.code)), otp.codeHash)) {
    return { otp: failedOtp, reason: 'Invalid OTP code' }
  }
  return { otp: { ...otp, status: stateAfter(otpMachine, 'use') }, publicKey: attempt.publicKey }
}
