import type { Messenger, OneTimeCodes } from '@corridor/engine/ports/messenger.ts'
import { oneTimeCodes } from './outcomes.ts'

/** Nothing leaves: what would have been sent stays readable as the inbox (customers 9.1). */
export const scriptedMessenger: Messenger = {
  channels: ['EMAIL', 'SMS'],
  keepsTexts: true,
  sendEmail: async () => ({ ok: true }),
  sendSms: async () => ({ ok: true }),
}

export const scriptedCodes: OneTimeCodes = { issue: (use) => oneTimeCodes[use] }
