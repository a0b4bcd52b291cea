import { connect } from 'node:net'
import { gzipSync } from 'node:zlib'
import { openTestServer } from '@corridor/testkit/index.ts'
import { expect, it } from 'vitest'

const server = await openTestServer()

it('give the memory of their bodies back, whenever they leave', async () => {
  const address = await server.listen()
  const { hostname, port, host } = new URL(address)
  const body = gzipSync(Buffer.concat([Buffer.alloc(1_000_000, ' '), Buffer.from('{"joinCode":"x"}')]))
  const head = [
    'POST /operator/join HTTP/1.1',
    `Host: ${host}`,
    'Content-Type: application/json',
    'Content-Encoding: gzip',
    `Content-Length: ${body.length}`,
  ].join('\r\n')
  const leave = () =>
    new Promise<void>((resolve) => {
      const socket = connect(Number(port), hostname)
      socket.write(Buffer.concat([Buffer.from(`${head}\r\n\r\n`), body]), () => socket.resetAndDestroy())
      socket.on('error', () => {}).on('close', () => resolve())
    })
  for (let sender = 0; sender < 60; sender++) await leave()
  const joining = async () => {
    const headers = { 'content-type': 'application/json' }
    const joinCode = 'x'.repeat(43)
    const init = { method: 'POST', headers, body: JSON.stringify({ joinCode }) }
    return (await fetch(`${address}/operator/join`, init)).status
  }
  await expect.poll(joining).toBe(401)
})
