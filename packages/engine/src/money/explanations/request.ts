import { toTimestamp } from '@corridor/kernel'
import type { LoggedRequest } from '../../platform/request-log/index.ts'
import { type ErrorCode, entryOf, errorRegistry } from '../../vocabulary/errors.ts'
import type { Interventions } from '../../vocabulary/interventions.ts'
import type { Scope } from '../../vocabulary/scope.ts'
import type { Explanation } from './contract.ts'
import { outcomeOf, requestEntry } from './timeline.ts'
import { sentenceWithin } from './words.ts'

type Entry = Explanation['timeline'][number]

/**
 * What became of a request, with the explanation of what its address named, where there is one. Of a refusal: what its code
 * advises to do.
 */
export function explainRequest(
  scope: Scope,
  request: LoggedRequest,
  about: Explanation | undefined,
  interventions: Interventions,
): Explanation {
  const { requestId, method, path, status, code, milliseconds, createdAt } = request
  const advice = adviceOf(code)
  const sentence = `${method} ${path} ${outcomeOf(request, interventions, ` after ${milliseconds} ms`)}.`
  const entry = requestEntry(request, interventions)
  const told = about?.timeline ?? []
  const isToldAlready = ({ at, ref }: Entry) => told.some((each) => each.at === at && each.ref === ref)
  const timeline = [
    ...told.filter((each) => each.requestId !== requestId),
    ...interventions.all.map((each) => each.entry).filter((each) => !isToldAlready(each)),
  ]
  return {
    subject: {
      id: requestId,
      type: 'Request',
      environment: scope.environment,
      asOf: toTimestamp(scope.now),
      ...(about ? { about: about.subject.id } : {}),
    },
    sentence: sentenceWithin(`${sentence}${about ? ` ${about.sentence}` : ''}`),
    status: {
      ...(about?.status ?? { waitingFor: 'NOBODY', expectedBy: null, overdue: false }),
      now: status === 0 ? 'NO_ANSWER' : `${status}`,
      since: createdAt,
      cancellable: about?.status.cancellable ?? false,
      safeToRetry: safeToRetryOf(request),
    },
    derivation: about?.derivation ?? [],
    ...(about?.rate ? { rate: about.rate } : {}),
    journals: about?.journals ?? [],
    timeline: [...timeline, entry].sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0)),
    webhooks: about?.webhooks ?? [],
    next: [...(advice ? [{ what: advice, when: null }] : []), ...(about?.next ?? [])],
    checks: about?.checks ?? [],
    unknown: [
      'the bodies of the request and the response',
      ...(about?.unknown ?? []),
      ...interventions.unknown,
    ],
  }
}

function adviceOf(code: string | null): string | undefined {
  return code !== null && Object.hasOwn(errorRegistry, code) ? entryOf(code as ErrorCode).advice : undefined
}

function safeToRetryOf({
  method,
  status,
  idempotencyKey,
  code,
}: LoggedRequest): Explanation['status']['safeToRetry'] {
  if (method === 'GET') return { answer: 'YES', why: 'the request only reads data' }
  // Of those that were cut alone, before anything was begun: any other has the status that it came to, whoever heard of it.
  const yes = idempotencyKey === null ? 'YES' : 'YES_SAME_KEY'
  if (status === 0) return { answer: yes, why: 'the request had no effect' }
  if (status === 429) return { answer: yes, why: 'the request was rejected before it had an effect' }
  if (status >= 400 && status < 500) {
    const why = `a retry fails with ${code ?? status} again until you correct the cause`
    return { answer: 'NO', why }
  }
  // 503 too: whoever had waited long enough was answered so, and what was begun may have been done after that.
  if (status >= 500 && idempotencyKey === null) {
    return { answer: 'NO', why: 'the request had no idempotency key and may have taken effect; check first' }
  }
  return idempotencyKey === null
    ? { answer: 'NO', why: 'the request had no idempotency key, so a retry could take effect twice' }
    : { answer: 'YES_SAME_KEY', why: 'a retry with the same key gets the same response' }
}
