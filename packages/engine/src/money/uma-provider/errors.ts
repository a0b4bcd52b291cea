import type { HostedAnswer } from '../../mechanisms/http/hosted-page.ts'
import { type ErrorCode, entryOf, type Failure } from '../../vocabulary/errors.ts'

/** Refusals in the words and the shape of LNURL (webhooks-uma 6.1, 6.4); those that the API has no code for. */
const ownCodes = {
  NON_UMA_LNURL_NOT_SUPPORTED: { status: 403, reason: 'Only UMA requests to $ addresses are supported.' },
  REQUEST_NOT_FOUND: { status: 404, reason: 'The request was not found or has expired.' },
  MISSING_MANDATORY_PAYER_DATA: { status: 400, reason: 'Mandatory information about the payer is missing.' },
  PAYMENT_REJECTED: { status: 403, reason: 'The receiver does not accept the payment.' },
} as const

type LnurlCode = keyof typeof ownCodes | ErrorCode

export function refuse(code: LnurlCode, more: Readonly<Record<string, unknown>> = {}): HostedAnswer {
  const { status, reason } =
    code in ownCodes ? ownCodes[code as keyof typeof ownCodes] : fromRegistry(code as ErrorCode)
  return json({ status: 'ERROR', reason, code, ...more }, status)
}

function fromRegistry(code: ErrorCode) {
  const { status, message } = entryOf(code)
  return { status, reason: message }
}

/** The body of a refusal that the protocol itself did not make: of what cannot be read, or comes too often. */
export function failureBody({ code }: Failure): object {
  return { status: 'ERROR', reason: fromRegistry(code).reason, code }
}

export function refuseAs({ code }: Failure): HostedAnswer {
  return refuse(code)
}

export function json(body: object, status = 200): HostedAnswer {
  return {
    status,
    contentType: 'application/json',
    body: JSON.stringify(body),
    headers: { 'cache-control': 'no-store' },
  }
}
