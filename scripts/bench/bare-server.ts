/** The least that can answer a POST: reads the JSON and sends a body of the size of a quote. */
import { createServer } from 'node:http'

const answer = JSON.stringify({ data: 'x'.repeat(Number(process.argv[2])) })

const server = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk) => chunks.push(chunk))
  request.on('end', () => {
    JSON.parse(Buffer.concat(chunks).toString())
    response.writeHead(201, { 'content-type': 'application/json' })
    response.end(answer)
  })
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  if (typeof address === 'object' && address) console.log(`listening ${address.port}`)
})
