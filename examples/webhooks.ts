/** A webhook receiver without a framework. See README.md. */
import { createServer } from 'node:http'
import { Corridor } from '@corridor/sdk'

const corridor = new Corridor()
const seen = new Set<string>() // in your program: a table whose key is the event's id
const port = Number(process.env.PORT ?? 3000)

createServer(async (request, response) => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  try {
    const event = await corridor.webhooks.unwrap(Buffer.concat(chunks), request.headers)
    if (!seen.has(event.id)) {
      seen.add(event.id) // first keep it, then answer, then do the work
      console.log(event.type)
    }
    response.writeHead(200).end()
  } catch (error) {
    // Not signed for this platform: 401. Anything else is ours, and the event comes again.
    response.writeHead(error instanceof Corridor.SignatureError ? 401 : 500).end()
  }
}).listen(port, () => console.log(`listening on ${port}`))
