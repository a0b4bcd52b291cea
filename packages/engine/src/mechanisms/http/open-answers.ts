import { Transform } from 'node:stream'
import type { World } from '@corridor/kernel'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Failure } from '../../vocabulary/errors.ts'
import type { OpenText } from '../../vocabulary/open-text.ts'

/** Often enough that nothing on the way takes the connection for dead. */
const beatEveryMs = 9_000
/** How often it is checked whether the reader may still read: a revoked credential has no stream two seconds later. */
const checkEveryMs = 1_500
/** Events go out for so long after a check; after that there is another check first. */
const trustedForMs = 1_000
/** Of these nobody learns what happened. */
const aside = /^event: (?!(?:ready|resync|clock|end|world\.restored)$)/m

/** Answers that go on. They end with whoever asked, with his right to see them, and with the server. */
export interface OpenAnswers {
  /** Sends what comes, and a comment now and then; `admitAgain` says whether whoever asked may still see it. */
  send(
    request: FastifyRequest,
    reply: FastifyReply,
    text: OpenText,
    admitAgain: () => Promise<Failure | undefined>,
  ): FastifyReply
  /** Ends those that are open, and whatever is opened from now on. */
  endAll(): void
}

export function createOpenAnswers(world: Pick<World, 'now' | 'sleep' | 'log'>): OpenAnswers {
  const open = new Set<OpenText>()
  let isEnding = false

  /** One reader: what it is sent, and whether it may still have it. */
  function createReader(text: OpenText, admitAgain: () => Promise<Failure | undefined>) {
    let admittedAt = world.now()
    let isOver = false
    const over = new AbortController()
    const gated = new Transform({
      transform(frames: Buffer, _, done) {
        const send = () => (isOver ? done() : done(null, frames))
        const isTrusted = world.now() - admittedAt < trustedForMs
        if (isOver || isTrusted || !aside.test(frames.toString('utf8'))) send()
        else void check().then(send)
      },
    })

    /** Ends the stream unless the reader is admitted. A check that fails to decide is no admission. */
    async function check(): Promise<void> {
      const startedAt = world.now()
      try {
        const refusal = await admitAgain()
        if (refusal) end(refusal.code)
        else admittedAt = startedAt
      } catch (error) {
        world.log.warn({ error: (error as Error).message }, 'who reads a stream could not be looked up')
        end()
      }
    }

    /** What waits to be sent is dropped: it may be what the reader must not see any more. */
    function end(code?: string): void {
      if (isOver || gated.writableEnded) return
      isOver = true
      over.abort()
      text.unpipe(gated)
      text.destroy()
      if (code !== undefined) gated.push(`event: end\ndata: ${JSON.stringify({ code })}\n\n`)
      gated.end()
    }

    async function keep(): Promise<void> {
      for (let sinceBeatMs = checkEveryMs; ; sinceBeatMs += checkEveryMs) {
        await world.sleep(checkEveryMs, over.signal)
        if (isOver || over.signal.aborted) return
        await check()
        if (isOver || over.signal.aborted) return
        // A reader that stalls has not read the last one yet.
        if (sinceBeatMs < beatEveryMs || gated.readableLength > 0) continue
        sinceBeatMs = 0
        text.push(': here\n\n')
      }
    }

    text.once('close', () => over.abort())
    gated.once('close', () => text.destroy())
    return { frames: text.pipe(gated), keep }
  }

  function end(text: OpenText): void {
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
      open.add(text)
      text.once('close', () => open.delete(text))
      text.push('retry: 1000\n\n')
      const reader = createReader(text, admitAgain)
      if (isEnding) end(text)
      else void reader.keep()
      return reply.send(reader.frames)
    },
    endAll() {
      isEnding = true
      for (const text of [...open]) end(text)
    },
  }
}
