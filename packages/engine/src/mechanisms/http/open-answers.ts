import { Transform } from 'node:stream'
import type { World } from '@corridor/kernel'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Failure } from '../../vocabulary/errors.ts'
import type { OpenText } from '../../vocabulary/open-text.ts'

/** Interval of comments, so that no proxy considers the connection dead. */
const beatEveryMs = 9_000
/** Interval of the permission check: a stream ends at most two seconds after its credential is revoked. */
const checkEveryMs = 1_500
/** Validity of a check. Older checks are repeated before the next event is sent. */
const trustedForMs = 1_000
/** Matches frames that contain an event of a platform. Control events reveal nothing. */
const aside = /^event: (?!(?:ready|resync|clock|end|world\.restored)$)/m

/** Streaming responses. They end when the reader disconnects, loses the permission, or the server stops. */
export interface OpenAnswers {
  /** Sends events, and comments in between. `admitAgain` checks that the reader still has the permission. */
  send(
    request: FastifyRequest,
    reply: FastifyReply,
    text: OpenText,
    admitAgain: () => Promise<Failure | undefined>,
  ): FastifyReply
  /** Ends all open streams and every stream that is opened afterwards. */
  endAll(): void
}

export function createOpenAnswers(world: Pick<World, 'now' | 'sleep' | 'log'>): OpenAnswers {
  const open = new Set<OpenText>()
  let isEnding = false

  /** Stream of one reader. */
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

    /** Ends the stream unless the reader still has the permission. A failed check counts as no permission. */
    async function check(): Promise<void> {
      const startedAt = world.now()
      try {
        const refusal = await admitAgain()
        if (refusal) end(refusal.code)
        else admittedAt = startedAt
      } catch (error) {
        world.log.warn(
          { error: (error as Error).message },
          'could not check the permission of a stream reader',
        )
        end()
      }
    }

    /** Drops unsent events, because the reader may no longer see them. */
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
      // The connection serves no other request, so a stop does not wait for it.
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
