import type { Readable } from 'node:stream'
import type { World } from '@corridor/kernel'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Failure } from '../../vocabulary/errors.ts'

/** Often enough that nothing on the way takes the connection for dead, and that a revoked token soon sees nothing. */
const beatEveryMs = 10_000

/** Answers that go on. They end with whoever asked, with his right to see them, and with the server. */
export interface OpenAnswers {
  /** Sends what comes, and a comment now and then; `admitAgain` says whether whoever asked may still see it. */
  send(
    request: FastifyRequest,
    reply: FastifyReply,
    text: Readable,
    admitAgain: () => Promise<Failure | undefined>,
  ): FastifyReply
  /** Ends those that are open, and whatever is opened from now on. */
  endAll(): void
}

export function createOpenAnswers(world: Pick<World, 'sleep' | 'log'>): OpenAnswers {
  const open = new Set<Readable>()
  let isEnding = false

  async function keep(text: Readable, over: AbortSignal, admitAgain: () => Promise<Failure | undefined>) {
    for (;;) {
      await world.sleep(beatEveryMs, over)
      if (over.aborted) return
      try {
        const refusal = await admitAgain()
        if (over.aborted) return
        // A full bucket of requests is no reason: nothing was asked.
        if (refusal && refusal.code !== 'RATE_LIMITED') {
          text.push(`event: end\ndata: ${JSON.stringify({ code: refusal.code })}\n\n`)
          return end(text)
        }
        text.push(': here\n\n')
      } catch (error) {
        world.log.warn({ error: (error as Error).message }, 'who reads a stream could not be looked up')
        return end(text)
      }
    }
  }

  function end(text: Readable): void {
    open.delete(text)
    text.push(null)
  }

  return {
    send(request, reply, text, admitAgain) {
      reply.header('content-type', 'text/event-stream; charset=utf-8')
      reply.header('x-accel-buffering', 'no')
      // Nothing else is asked on it: a stop need not wait for it.
      reply.header('connection', 'close')
      if (request.method === 'HEAD') {
        text.destroy()
        return reply.send()
      }
      const over = new AbortController()
      open.add(text)
      text.once('close', () => {
        open.delete(text)
        over.abort()
      })
      text.push('retry: 1000\n\n')
      if (isEnding) end(text)
      else void keep(text, over.signal, admitAgain)
      return reply.send(text)
    },
    endAll() {
      isEnding = true
      for (const text of [...open]) end(text)
    },
  }
}
