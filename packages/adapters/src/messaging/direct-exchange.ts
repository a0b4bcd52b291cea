import { type Exchange, type ExchangedAnswer, GatheredBytes } from '@corridor/kernel'
import { Agent, type Dispatcher } from 'undici'
import { createMeasurement, timedConnector } from './connection-times.ts'
import { InformationalHeads } from './informational-heads.ts'

/** Connections to anywhere, kept for the next exchange. Not the global one, which may be that of Node's own undici. */
let anywhere: Agent | undefined

/**
 * One HTTP exchange over undici's dispatcher, without what `fetch` adds to it and a webhook does not need: streams, content
 * encodings, redirects.
 */
export const directExchange: Exchange = ({
  method,
  url,
  headers,
  body,
  timeoutMs,
  maxBytes,
  connections,
  onMeasured,
  signal,
}) => {
  const { origin, pathname, search } = new URL(url)
  anywhere ??= new Agent({ connect: timedConnector() })
  const dispatcher = (connections as Dispatcher | undefined) ?? anywhere
  // The only limit: it counts from the first step, the connection included.
  const limit = AbortSignal.timeout(timeoutMs)
  return new Promise<ExchangedAnswer>((resolve, reject) => {
    const gathered = new GatheredBytes(maxBytes)
    const heads = new InformationalHeads()
    let status: number | undefined
    let isOver = false
    let abort: (() => void) | undefined
    const measurement = onMeasured && createMeasurement()
    /** Once the status is there, whatever ends the answer only ends its body. */
    const end = (error?: Error) => {
      if (isOver) return
      isOver = true
      limit.removeEventListener('abort', onLimit)
      signal?.removeEventListener('abort', onBreak)
      if (measurement) onMeasured(measurement.times())
      if (status === undefined) reject(error ?? new Error('no answer'))
      else resolve({ status, body: textOf(gathered) })
    }
    const giveUp = (error?: Error) => {
      end(error)
      abort?.()
    }
    const onLimit = () => giveUp(limit.reason as Error)
    limit.addEventListener('abort', onLimit)
    const onBreak = () => giveUp(new Error('broken off'))
    signal?.addEventListener('abort', onBreak)
    if (signal?.aborted) return onBreak()
    const dispatch = () => {
      dispatcher.dispatch(
        {
          origin,
          path: pathname + search,
          method,
          headers,
          body: body ?? null,
          headersTimeout: 0,
          bodyTimeout: 0,
        },
        {
          onRequestStart(controller) {
            if (isOver) controller.abort(new Error('over'))
            else {
              abort = () => controller.abort(new Error('over'))
              measurement?.started()
            }
          },
          onResponseStart(_controller, answered) {
            // Those below 200 announce the answer.
            if (answered < 200) {
              const tooMany = heads.add(answered)
              if (tooMany) giveUp(tooMany)
              return
            }
            status = answered
            measurement?.answered()
          },
          onResponseData(_controller, chunk) {
            if (!isOver && !gathered.add(chunk)) giveUp()
          },
          onResponseEnd: () => end(),
          onResponseError: (_controller, error) => end(error),
        },
      )
    }
    if (measurement) measurement.dispatch(dispatch)
    else dispatch()
  })
}

function textOf(gathered: GatheredBytes): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(gathered.bytes())
}

/** The same with nothing measured, for a World whose answers repeat. */
export const unmeasuredExchange: Exchange = ({ onMeasured: _, ...request }) => directExchange(request)
