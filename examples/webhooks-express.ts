/** A webhook receiver with Express. See README.md. */
import { Corridor } from '@corridor/sdk'
import express from 'express'

const corridor = new Corridor()
const seen = new Set<string>() // in your program: a table whose key is the event's id
const port = Number(process.env.PORT ?? 3000)
const app = express()

// The bytes as they came: a body that was parsed and written again has others, and its signature fails.
app.post('/webhooks', express.raw({ type: 'application/json' }), async (request, response) => {
  try {
    const event = await corridor.webhooks.unwrap(request.body, request.headers)
    if (!seen.has(event.id)) {
      seen.add(event.id)
      console.log(event.type)
    }
    response.sendStatus(200)
  } catch (error) {
    response.sendStatus(error instanceof Corridor.SignatureError ? 401 : 500)
  }
})
app.listen(port, () => console.log(`listening on ${port}`))
