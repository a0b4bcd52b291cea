import { canonicalJson } from '../http/idempotency.ts'

/**
 * The text a wallet signs for an action: compact JSON with sorted members (wallets 4.3). Callers treat it
 * as opaque; it is kept as it was given out.
 */
export function activityPayload(activity: {
  readonly type: string
  readonly timestampMs: number
  readonly organizationId: string
  readonly parameters: Readonly<Record<string, unknown>>
}): string {
  return canonicalJson({ ...activity, timestampMs: String(activity.timestampMs) })
}
