import type { Decision } from '@corridor/engine/vocabulary/decision.ts'
import { openTestServer } from '@corridor/testkit/index.ts'
import { expect, it } from 'vitest'
import { operate } from '../e2e/onboarding.ts'
import { stablecoinApi } from '../e2e/stablecoin-api.ts'

// Cards-stablecoins 2.4: a mint is put on record while what it was allowed for still holds.

const server = await openTestServer()

it('nothing is minted over a provider account that is revoked before the mint is on record', async () => {
  const { post, get, register, wallet, bank } = await stablecoinApi(server)
  const { body: coin } = await register('acme')
  const [link] = (await get('/stablecoin-provider-accounts')).data
  const { applier } = server.engine
  const apply = applier.apply.bind(applier) as (scope: unknown, decision: Decision) => Promise<never>
  const revoked: unknown[] = []
  Object.assign(applier, {
    async apply(scope: unknown, decision: Decision) {
      const isMint = decision.inserts?.some(({ table }) => table === 'stablecoin_operations')
      if (isMint && revoked.length === 0) {
        const path = `/stablecoin-provider-accounts/${link.id}/revoke`
        revoked.push(await operate(server, 'POST', path, { reason: 'Leaked' }))
      }
      return apply(scope, decision)
    },
  })
  const body = {
    amount: '10000',
    fundingSource: { type: 'ACH_DEBIT', externalAccountId: bank.id },
    destination: { accountId: wallet.id },
  }
  const mint = await post(`/stablecoins/${coin.id}/mints`, body).finally(() =>
    Object.assign(applier, { apply }),
  )
  expect(revoked).toMatchObject([{ status: 200, body: { status: 'REVOKED' } }])
  expect(mint).toMatchObject({ status: 400, body: { code: 'STABLECOIN_PROVIDER_ACCOUNT_REVOKED' } })
  expect((await get(`/stablecoins/${coin.id}/operations`)).data).toEqual([])
})
