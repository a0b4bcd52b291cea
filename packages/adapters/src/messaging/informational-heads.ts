import type { World } from '@corridor/kernel'
import { Agent, type Dispatcher } from 'undici'

/** Clients see at most a few: an early hint, or a note that the server still works. */
const mostHeads = 10

/**
 * Counts the informational heads (status below 200) of one exchange. The parser accepts any number of them, so an endpoint
 * that sends nothing else would keep the process busy until the timeout.
 */
export class InformationalHeads {
  private count = 0

  /** Returns the error that ends the exchange if this head is one too many. */
  add(status: number): Error | undefined {
    if (status >= 200 || ++this.count <= mostHeads) return undefined
    return new TooManyHeads()
  }
}

class TooManyHeads extends Error {
  readonly code = 'TOO_MANY_INFORMATIONAL_RESPONSES'
  constructor() {
    super(`the server sent more than ${mostHeads} informational responses`)
  }
}

function boundedHandler(handler: Dispatcher.DispatchHandler): Dispatcher.DispatchHandler {
  const heads = new InformationalHeads()
  return {
    onRequestStart: (...start) => handler.onRequestStart?.(...start),
    onRequestUpgrade: (...upgrade) => handler.onRequestUpgrade?.(...upgrade),
    onResponseStart(controller, status, ...rest) {
      const error = heads.add(status)
      if (error) controller.abort(error)
      else handler.onResponseStart?.(controller, status, ...rest)
    },
    onResponseData: (...data) => handler.onResponseData?.(...data),
    onResponseEnd: (...end) => handler.onResponseEnd?.(...end),
    onResponseError: (...failure) => handler.onResponseError?.(...failure),
  }
}

const bounded = new WeakMap<Dispatcher, Dispatcher>()
let anywhere: Agent | undefined

/** Returns a `fetch` that ends a request whose server sends too many informational heads, whichever dispatcher it uses. */
export function boundedFetch(send: World['fetch']): World['fetch'] {
  return (input, init) => {
    anywhere ??= new Agent()
    const dispatcher = boundedDispatcher(
      (init as { dispatcher?: Dispatcher } | undefined)?.dispatcher ?? anywhere,
    )
    return send(input, { ...init, dispatcher } as RequestInit)
  }
}

function boundedDispatcher(dispatcher: Dispatcher): Dispatcher {
  let found = bounded.get(dispatcher)
  if (!found) {
    found = dispatcher.compose((dispatch) => (options, handler) => dispatch(options, boundedHandler(handler)))
    bounded.set(dispatcher, found)
  }
  return found
}
