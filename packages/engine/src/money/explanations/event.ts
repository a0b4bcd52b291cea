import { toTimestamp } from '@corridor/kernel'
import type { WebhookEventDetails } from '../../notices/webhook-events/index.ts'
import type { Interventions } from '../../vocabulary/interventions.ts'
import type { Scope } from '../../vocabulary/scope.ts'
import type { Explanation } from './contract.ts'

type Timeline = Explanation['timeline']

/** What became of a webhook: each attempt, who is waited for, and how it is sent again (webhooks 3). */
export function explainEvent(
  scope: Scope,
  event: WebhookEventDetails,
  {
    interventions,
    isHeldBack,
  }: {
    readonly interventions: Interventions
    /** That the endpoint is of the world that this one is a fork of. */
    readonly isHeldBack: boolean
  },
): Explanation {
  const { id, type, resourceId, status, createdAt, attemptLog } = event
  const attempts: Timeline = attemptLog
    .map(({ via, attempt, at, status: answered, error }) => ({
      at,
      kind: 'WEBHOOK' as const,
      text: `attempt ${attempt} at ${via}: ${error ?? `responded ${answered}`}`,
    }))
    .sort((a, b) => a.at.localeCompare(b.at))
  // An intervention is on record before the attempt that it changed.
  const happened = [...interventions.all.map(({ entry }) => entry), ...attempts].sort((a, b) =>
    a.at.localeCompare(b.at),
  )
  const isUnderWay = status === 'QUEUED' || status === 'RETRYING'
  const isHeld = isHeldBack && isUnderWay
  const meaning = isHeld ? heldBack : meanings[event.attempts === 0 && isUnderWay ? 'QUEUED' : status]
  return {
    subject: { id, type: 'Webhook', environment: scope.environment, asOf: toTimestamp(scope.now) },
    sentence: `${type} of ${resourceId} ${meaning}.`,
    status: {
      now: status,
      since: attempts.at(-1)?.at ?? createdAt,
      waitingFor: isHeld ? 'PLATFORM' : isUnderWay ? 'CLOCK' : 'NOBODY',
      expectedBy: null,
      overdue: false,
      cancellable: false,
      safeToRetry: isUnderWay
        ? { answer: 'NO', why: isHeld ? heldBack : 'Corridor is already sending the event' }
        : { answer: 'YES_SAME_KEY', why: 'a resend has the same id and bytes' },
    },
    derivation: [],
    journals: [],
    timeline: [{ at: createdAt, kind: 'TRANSITION', text: type, ref: resourceId }, ...happened],
    webhooks: [],
    next: isHeld
      ? [
          {
            what: 'Corridor sends the event once this fork has an endpoint of its own',
            when: null,
            doNow: 'PATCH /config',
          },
        ]
      : isUnderWay
        ? [{ what: 'the next attempt', when: event.nextAttemptAt }]
        : status === 'DELIVERED'
          ? []
          : [{ what: 'resend the event', when: null, doNow: `POST /webhook-events/${id}/resend` }],
    checks: [],
    unknown: [
      ...(event.attempts > attemptLog.length ? ['older attempts (only the last twenty are kept)'] : []),
      ...interventions.unknown,
    ],
  }
}

const heldBack = 'is not sent, because a fork does not use the endpoint that it copied'

const meanings: Readonly<Record<WebhookEventDetails['status'], string>> = {
  QUEUED: 'is waiting for its first attempt',
  RETRYING: 'has failed so far and will be retried',
  DELIVERED: 'was delivered',
  FAILED: 'failed at its last attempt and is no longer retried',
  STORED: 'was stored, because no endpoint was set',
}
