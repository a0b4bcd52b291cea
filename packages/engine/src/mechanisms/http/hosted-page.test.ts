import { ok } from '@corridor/kernel'
import Fastify from 'fastify'
import { expect, it } from 'vitest'
import type { ToldOutside } from '../db/durability.ts'
import { serveHostedPages } from './hosted-page.ts'
import { servePlainPages } from './plain-page.ts'

interface Payer extends ToldOutside {
  readonly adapters: { pay(): Promise<void> }
}

/** Another server takes over while a page works, after it has read rows. */
function openPages() {
  let current = 'one'
  let paid = 0
  const adaptersSince = (since: string) => ({
    async pay() {
      if (since !== current) throw new Error('another server has taken over')
      paid++
    },
  })
  const engine: Payer = {
    database: { server: () => current },
    adapters: { pay: async () => void paid++ },
    adaptersSince,
  }
  const answer = async ({ adapters }: Payer) => {
    current = 'two'
    await adapters.pay()
    return ok({ contentType: 'text/plain', body: 'paid' })
  }
  const server = Fastify()
  serveHostedPages(engine, [{ path: '/hosted', answer }])(server)
  servePlainPages(engine, [{ path: '/plain', answer }])(server)
  return {
    server,
    get paid() {
      return paid
    },
  }
}

it.each(['/hosted', '/plain'])('%s calls no third party for rows of a server that is gone', async (url) => {
  const opened = openPages()
  expect((await opened.server.inject({ url })).statusCode).toBe(500)
  expect(opened.paid).toBe(0)
})
