/** A webhook receiver with Fastify. See README.md. */
import { Corridor } from '@corridor/sdk'
import fastify from 'fastify'

const corridor = new Corridor()
const seen = new Set<string>() // in your program: a table whose key is the event's id
const port = Number(process.env.PORT ?? 3000)
const app = fastify()

// The bytes as they came: a body that was parsed and written again has others, and its signature fails.
app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) =>
  done(null, body),
)

app.post('/webhooks', async (request, reply) => {
  try {
    const event = await corridor.webhooks.unwrap(request.body as Buffer, request.headers)
    if (!seen.has(event.id)) {
      seen.add(event.id)
      console.log(event.type)
    }
    return reply.code(200).send()
  } catch (error) {
    return reply.code(error instanceof Corridor.SignatureError ? 401 : 500).send()
  }
})
await app.listen({ port })
console.log(`listening on ${port}`)
