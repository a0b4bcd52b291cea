import type { ServerResponse } from 'node:http'
import type { RouteHandlerMethod } from 'fastify'
import type { Asker } from '../../vocabulary/operation.ts'

/** A request, as whoever stands in front of a server follows it: what it began goes on when its connection is gone. */
export interface Visit {
  /** What answers it is to begin; false: not any more. */
  begins(): boolean
  /** What answers it is over, whether anybody heard it or not. */
  ended(): void
}

const visits = new WeakMap<ServerResponse, readonly Visit[]>()

/** Several may follow one request. */
export function follow(response: ServerResponse, visit: Visit): void {
  visits.set(response, [...(visits.get(response) ?? []), visit])
}

/** A handler that tells whoever follows its requests when it begins and when it is over. */
export function followed(handler: RouteHandlerMethod): RouteHandlerMethod {
  return function (request, reply) {
    const followers = visits.get(reply.raw)
    if (!followers) return handler.call(this, request, reply)
    const begun: Visit[] = []
    const ended = () => {
      for (const visit of begun) visit.ended()
    }
    for (const visit of followers) {
      if (!visit.begins()) {
        ended()
        return reply.hijack()
      }
      begun.push(visit)
    }
    let answer: unknown
    try {
      answer = handler.call(this, request, reply)
    } catch (error) {
      ended()
      throw error
    }
    if (answer instanceof Promise) return answer.finally(ended)
    ended()
    return answer
  }
}

/** Whoever asks, and what says that his answer is on record. */
export function askerOf(response: ServerResponse): { readonly asker: Asker; readonly recorded: () => void } {
  const steps: (() => void)[] = []
  return {
    asker: { connection: response, whenRecorded: (step) => void steps.push(step) },
    recorded() {
      for (const step of steps.splice(0)) step()
    },
  }
}
