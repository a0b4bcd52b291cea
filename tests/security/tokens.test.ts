import { createAuthenticator } from '@corridor/engine/mechanisms/http/authenticate.ts'
import { noLimits } from '@corridor/engine/mechanisms/http/rate-limits.ts'
import type { CorridorClient } from '@corridor/sdk/path-client.ts'
import { openTestServer } from '@corridor/testkit/index.ts'
import { describe, expect, it } from 'vitest'
import { basic, type Credentials } from '../e2e/raw-calls.ts'

const server = await openTestServer()

type Token = Credentials & { id: string }

async function newToken(api: CorridorClient, permission: 'VIEW' | 'MANAGE'): Promise<Token> {
  const { data } = await api.POST('/tokens', { body: { name: 'made', permissions: [permission] } })
  return data as Token
}

const remove = (api: CorridorClient, { id }: Pick<Token, 'id'>) =>
  api.DELETE('/tokens/{tokenId}', { params: { path: { tokenId: id } } })

describe('a removed token', () => {
  it('is refused at once, also where a request with it raced the removal', async () => {
    const api = server.client(await server.platform())
    for (let race = 0; race < 25; race++) {
      const token = await newToken(api, 'VIEW')
      const use = () => server.client(token).GET('/tokens')
      // Lookups begin before, while and after the token ends.
      const racing = Array.from({ length: 8 }, use)
      const removal = remove(api, token)
      racing.push(use(), use())
      expect((await removal).response.status).toBe(204)
      await Promise.all(racing)
      expect((await use()).response.status, `race ${race}`).toBe(401)
    }
  })

  it('is refused by another process within two seconds', async () => {
    const api = server.client(await server.platform())
    const token = await newToken(api, 'VIEW')
    const { database, keys, world } = server.engine
    const elsewhere = createAuthenticator(database, keys, world, noLimits)
    expect((await elsewhere.basic(basic(token), 'somewhere')).ok).toBe(true)
    await remove(api, token)
    server.world.passMs(2_000)
    expect((await elsewhere.basic(basic(token), 'somewhere')).ok).toBe(false)
  })
})

describe('the last token that can manage a platform', () => {
  it('stays when two remove each other at once', async () => {
    for (let race = 0; race < 10; race++) {
      const first = await server.platform()
      const api = server.client(first)
      const second = await newToken(api, 'MANAGE')
      const { data } = await api.GET('/tokens')
      const firstId = data!.data.map(({ id }) => id).find((id) => id !== second.id)!
      const answers = await Promise.all([remove(api, second), remove(server.client(second), { id: firstId })])
      const statuses = answers.map(({ response }) => response.status)
      expect(
        statuses.filter((status) => status === 204),
        String(statuses),
      ).toHaveLength(1)
      const left = await Promise.all(
        [first, second].map(async (token) => (await server.client(token).GET('/tokens')).response.status),
      )
      expect(left.sort()).toEqual([200, 401])
    }
  })
})
