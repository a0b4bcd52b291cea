import type { Exchange, ExchangedAnswer } from '@corridor/kernel'
import { type Dispatcher, getGlobalDispatcher } from 'undici'

/**
 * One HTTP exchange over undici's dispatcher, without what `fetch` adds to it and a webhook does not need: streams, content
 * encodings, redirects. It costs a third of one (performance.md).
 */
export const directExchange: Exchange = ({ method, url, headers, body, timeoutMs, maxBytes, connections }) => {
  const { origin, pathname, search } = new URL(url)
  const dispatcher = (connections as Dispatcher | undefined) ?? getGlobalDispatcher()
  return new Promise<ExchangedAnswer>((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    let status: number | undefined
    let isOver = false
    let abort: (() => void) | undefined
    /** Once the status is there, whatever ends the answer only ends its body. */
    const end = (error?: Error) => {
      if (isOver) return
      isOver = true
      clearTimeout(timer)
      if (status === undefined) reject(error ?? new Error('no answer'))
      else resolve({ status, body: Buffer.concat(chunks).subarray(0, maxBytes).toString('utf8') })
    }
    const giveUp = (error?: Error) => {
      end(error)
      abort?.()
    }
    const timer = setTimeout(() => giveUp(new DOMException('no answer in time', 'TimeoutError')), timeoutMs)
    timer.unref()
    dispatcher.dispatch(
      // The timer is the only limit: it counts from the first step, the connection included.
      { origin, path: pathname + search, method, headers, body: body ?? null, headersTimeout: 0, bodyTimeout: 0 },
      {
        onRequestStart(controller) {
          if (isOver) controller.abort(new Error('over'))
          else abort = () => controller.abort(new Error('over'))
        },
        onResponseStart(_controller, answered) {
          // Those below 200 announce the answer.
          if (answered >= 200) status = answered
        },
        onResponseData(_controller, chunk) {
          chunks.push(chunk)
          size += chunk.length
          if (size >= maxBytes) giveUp()
        },
        onResponseEnd: () => end(),
        onResponseError: (_controller, error) => end(error),
      },
    )
  })
}
