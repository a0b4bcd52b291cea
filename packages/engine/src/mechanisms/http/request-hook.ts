import type { FastifyReply, FastifyRequest } from 'fastify'
import type { RequestOfScope } from '../../vocabulary/scope.ts'
import type { Answer } from './dispatch.ts'

/** Stands between the admission of a request and its response. A sandbox changes the course of requests here. */
export interface RequestHook {
  /**
   * Has the request carried out, or responds without that. Undefined: its caller has gone, and nothing was done. With `isSent`
   * nothing remains to be sent: the request log gets this answer.
   */
  around(
    request: FastifyRequest,
    reply: FastifyReply,
    carryOut: (request: RequestOfScope) => Promise<Answer>,
  ): Promise<{ readonly answer: Answer; readonly isSent: boolean } | undefined>
  /** Ends all waits: the server stops. */
  endAll(): void
}

/** Every request is carried out, and its response is sent. */
export const noHook: RequestHook = {
  around: async ({ id }, _reply, carryOut) => ({
    answer: await carryOut({ id, onIntervention: () => {} }),
    isSent: false,
  }),
  endAll: () => {},
}
