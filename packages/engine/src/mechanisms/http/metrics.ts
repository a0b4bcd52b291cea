import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client'
import type { ErrorCode } from '../../vocabulary/errors.ts'

/** Prometheus metrics of one server. A registry of its own, so that two servers in a process do not clash. */
export interface Metrics {
  observe(operation: string, status: number, durationMs: number): void
  /** An error that nobody foresaw, and where it came up. */
  countUnexpected(where: string): void
  /** Somebody who was not let in, may not, or comes too often. */
  countRefusal(reason: RefusalReason): void
  render(): Promise<{ contentType: string; text: string }>
}

export type RefusalReason = 'sign_in' | 'permission' | 'limit'

export function createMetrics(): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const requests = new Histogram({
    name: 'corridor_http_request_duration_seconds',
    help: 'Time from the first byte of a request to the last byte of its response',
    labelNames: ['operation', 'status'] as const,
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5],
    registers: [registry],
  })
  const unexpected = new Counter({
    name: 'corridor_unexpected_errors_total',
    help: 'Unexpected errors, in requests and outside of them',
    labelNames: ['where'] as const,
    registers: [registry],
  })
  const refused = new Counter({
    name: 'corridor_refused_requests_total',
    help: 'Requests rejected for credentials, permissions or rate limits',
    labelNames: ['reason'] as const,
    registers: [registry],
  })
  return {
    countRefusal: (reason) => refused.inc({ reason }),
    countUnexpected: (where) => unexpected.inc({ where }),
    observe(operation, status, durationMs) {
      requests.observe({ operation, status: `${Math.floor(status / 100)}xx` }, durationMs / 1000)
    },
    async render() {
      return { contentType: registry.contentType, text: await registry.metrics() }
    },
  }
}

/** Refusals that are counted, by what they are for. */
export const refusalReasons: Readonly<Partial<Record<ErrorCode, RefusalReason>>> = {
  UNAUTHORIZED: 'sign_in',
  FORBIDDEN: 'permission',
  RATE_LIMITED: 'limit',
}
