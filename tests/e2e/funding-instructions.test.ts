import { openTestServer } from '@corridor/testkit/index.ts'
import { describe, expect, it } from 'vitest'

const server = await openTestServer()

describe('funding instructions', () => {
  it('are shown with every account of the platform, and are the same on every reading', async () => {
    const api = server.client(await server.platform())
    const read = async () => (await api.GET('/platform/internal-accounts')).data!.data
    const accounts = await read()
    const dollars = accounts.find(({ balance }) => balance.currency.code === 'USD')!
    expect(dollars.fundingPaymentInstructions).toMatchObject([
      {
        isPlatformAccount: true,
        accountOrWalletInfo: { accountType: 'US_ACCOUNT', accountCategory: 'CHECKING' },
      },
      { isPlatformAccount: true, accountOrWalletInfo: { accountType: 'SOLANA_WALLET', assetType: 'USDC' } },
    ])
    expect(await read()).toEqual(accounts)
    const one = await api.GET('/internal-accounts/{id}', { params: { path: { id: dollars.id } } })
    expect(one.data!.fundingPaymentInstructions).toEqual(dollars.fundingPaymentInstructions)
  })

  it('keep every field they were made with on the way to the caller', async () => {
    const api = server.client(await server.platform())
    const accounts = (await api.GET('/platform/internal-accounts')).data!.data
    const fieldsOf = (code: string) => {
      const account = accounts.find(({ balance }) => balance.currency.code === code)!
      return account.fundingPaymentInstructions.map(({ accountOrWalletInfo }) =>
        Object.keys(accountOrWalletInfo).sort(),
      )
    }
    expect(fieldsOf('GBP')).toEqual([
      ['accountNumber', 'accountType', 'paymentRails', 'reference', 'sortCode'],
    ])
    expect(fieldsOf('BRL')).toEqual([['accountType', 'qrCode']])
    expect(fieldsOf('BTC')).toEqual([
      ['accountType', 'address', 'assetType'],
      ['accountType', 'address', 'network'],
    ])
    expect(fieldsOf('KES')).toEqual([])
  })

  it('differ between any two platforms', async () => {
    const read = async () => {
      const api = server.client(await server.platform())
      const accounts = (await api.GET('/platform/internal-accounts')).data!.data
      return accounts.flatMap(({ fundingPaymentInstructions }) => fundingPaymentInstructions)
    }
    const [ours, theirs] = [await read(), await read()]
    const texts = new Set(ours.map(({ accountOrWalletInfo }) => JSON.stringify(accountOrWalletInfo)))
    for (const { accountOrWalletInfo } of theirs)
      expect(texts).not.toContain(JSON.stringify(accountOrWalletInfo))
  })

  it('are empty until a production account has been provisioned', async () => {
    const api = server.client(await server.platform({ environment: 'PRODUCTION' }))
    for (const account of (await api.GET('/platform/internal-accounts')).data!.data) {
      expect(account).toMatchObject({ status: 'PENDING', fundingPaymentInstructions: [] })
    }
  })
})
