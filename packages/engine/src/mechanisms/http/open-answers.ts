import { type Readable, Transform } from 'node:stream'
import type { World } from '@corridor/kernel'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Failure } from '../../vocabulary/errors.ts'

/** Often enough that nothing on the way takes the connection for dead, and that a revoked token soon has no stream. */
const beatEveryMs = 10_000
/** What happened is told for so long to whoever was let in; after that it is asked again first. */
const trustedForMs = 1_000
/** Of these nobody learns what happened. */
const aside = /^event: (?!(?:ready|resync|clock|end|world\.restored)$)/m

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

export function createOpenAnswers(world: Pick<World, 'now' | 'sleep' | 'log'>): OpenAnswers {
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

  /** What has come, once it is known that whoever asked may still see it. */
  function gate(text: Readable, admitAgain: () => Promise<Failure | undefined>): Transform {
    let admittedAt = world.now()
    let isOver = false
    const gated = new Transform({
      transform(frames: Buffer, _, done) {
        const isTrusted = isOver || world.now() - admittedAt < trustedForMs
        if (isTrusted || !aside.test(frames.toString('utf8'))) return done(null, frames)
        admitAgain().then(
          (refusal) => {
            admittedAt = world.now()
            if (!refusal || refusal.code === 'RATE_LIMITED') return done(null, frames)
            close(`event: end\ndata: ${JSON.stringify({ code: refusal.code })}\n\n`, done)
          },
          (error: Error) => {
            world.log.warn({ error: error.message }, 'who reads a stream could not be looked up')
            close('', done)
          },
        )
      },
    })
    function close(last: string, done: () => void): void {
      isOver = true
      text.unpipe(gated)
      text.destroy()
      done()
      gated.end(last)
    }
    gated.once('close', () => text.destroy())
    return text.pipe(gated)
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
      return reply.send(gate(text, admitAgain))
    },
    endAll() {
      isEnding = true
      for (const text of [...open]) end(text)
    },
  }
}
