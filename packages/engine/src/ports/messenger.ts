import type { CallContext } from './call-context.ts'

/** Reaches people outside the API. Called from jobs alone, and perhaps twice for one message. */
export interface Messenger {
  sendEmail(message: EmailMessage): Promise<MessageOutcome>
  sendSms(message: SmsMessage): Promise<MessageOutcome>
  /** Channels that lead somewhere; a message for another one is refused where it is caused. */
  readonly channels: readonly MessageChannel[]
  /** Whether the text of a message stays readable once it was sent: only where it went nowhere else. */
  readonly keepsTexts: boolean
}

export type MessageChannel = 'EMAIL' | 'SMS'

export interface EmailMessage {
  /** The same at every attempt, so that a provider can drop the second. */
  readonly id: string
  readonly to: string
  readonly subject: string
  readonly text: string
  /** Without one the operator is shown. */
  readonly sender?: EmailSender | undefined
  readonly context?: CallContext
}

/** Whom the reader of an e-mail has it from. The address stays that of the operator, whose mail server answers for it. */
export interface EmailSender {
  readonly name: string
  readonly replyTo?: string
  readonly logoUrl?: string
}

export interface SmsMessage {
  readonly id: string
  /** E.164. */
  readonly to: string
  readonly text: string
  readonly context?: CallContext
}

export type MessageOutcome =
  | { readonly ok: true }
  /** `isFinal`: no later attempt can succeed. The reason never holds the address or the text. */
  | { readonly ok: false; readonly reason: string; readonly isFinal: boolean }

/** Makes the codes that people type in. */
export interface OneTimeCodes {
  issue(use: OneTimeCodeUse, form?: OneTimeCodeForm): string
}

/** Six digits unless said otherwise. */
export interface OneTimeCodeForm {
  readonly length: number
  /** Capital letters that are not mistaken for digits besides digits. */
  readonly isAlphanumeric: boolean
}

export type OneTimeCodeUse = 'CONTACT_VERIFICATION' | 'STRONG_AUTHENTICATION' | 'WALLET'
