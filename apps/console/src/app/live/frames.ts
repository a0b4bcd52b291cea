/** One message of server-sent events. */
export interface Frame {
  readonly event: string
  readonly id: string | undefined
  readonly data: string
}

/** A server that sends no end of a message is not listened to for ever. */
const longest = 1_000_000

/** The messages of a stream, as many at a time as have come. A comment alone gives none, which tells that somebody is there. */
export async function* readFrames(body: ReadableStream<Uint8Array>): AsyncGenerator<Frame[]> {
  const reader = body
    .pipeThrough(new TextDecoderStream() as never)
    .getReader() as ReadableStreamDefaultReader<string>
  let rest = ''
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      rest += value
      if (rest.length > longest) return
      const end = rest.lastIndexOf('\n\n')
      if (end < 0) {
        yield []
        continue
      }
      const whole = rest.slice(0, end)
      rest = rest.slice(end + 2)
      yield whole.split('\n\n').flatMap(frameOf)
    }
  } finally {
    void reader.cancel().catch(() => {})
  }
}

function frameOf(text: string): Frame[] {
  let event = ''
  let id: string | undefined
  let data = ''
  for (const line of text.split('\n')) {
    if (line.startsWith('event: ')) event = line.slice(7)
    else if (line.startsWith('id: ')) id = line.slice(4)
    else if (line.startsWith('data: ')) data += line.slice(6)
  }
  return event === '' ? [] : [{ event, id, data }]
}
