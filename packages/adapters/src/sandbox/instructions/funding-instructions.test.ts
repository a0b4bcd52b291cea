import { validatorComponents } from '@corridor/engine/mechanisms/http/components.ts'
import { fundingReference } from '@corridor/engine/platform/internal-accounts/index.ts'
import {
  findAccountType,
  type PaymentInstructions,
  paymentInstructions,
  textOf,
} from '@corridor/engine/reference/account-types/index.ts'
import { currencies } from '@corridor/engine/reference/currencies/index.ts'
import { simWorld } from '@corridor/testkit/sim-world.ts'
import { Ajv } from 'ajv'
import { decode } from 'light-bolt11-decoder'
import { describe, expect, it } from 'vitest'
import { cvuOf } from './coordinates.ts'
import { fundingInstructions } from './funding-instructions.ts'
import { realtimeInstructions } from './realtime-instructions.ts'
import { sandboxInstructions, seededBy } from './sandbox-instructions.ts'

const components = validatorComponents()
const root = components.reference(paymentInstructions)
const ajv = new Ajv({ discriminator: true, strict: false, allErrors: true })
for (const part of Object.values(components.all())) ajv.addSchema(part)
const isValid = ajv.compile(root)

function expectValid(entries: readonly PaymentInstructions[]): void {
  for (const entry of entries) expect(isValid(entry), JSON.stringify([entry, isValid.errors])).toBe(true)
}

const world = simWorld(5)
const now = world.now()
const payIn = { reference: 'QUOTE23456', amountMinor: 9_548n, now, expiresAt: now + 120_000 }
const fund = (currency: string) =>
  fundingInstructions(seededBy(world.id('InternalAccount')), { currency, reference: fundingReference(world) })
const typesOf = (entries: readonly PaymentInstructions[]) =>
  entries.map(({ accountOrWalletInfo }) => accountOrWalletInfo.accountType)

/** Currency → its entries, in order; the rest are collected to a bank account of the currency's own type. */
const expected: Record<string, string[]> = {
  USD: ['US_ACCOUNT', 'SOLANA_WALLET'],
  EUR: ['EUR_ACCOUNT', 'SOLANA_WALLET'],
  DKK: ['DKK_ACCOUNT', 'SOLANA_WALLET'],
  USDC: ['SOLANA_WALLET', 'BASE_WALLET', 'POLYGON_WALLET', 'ETHEREUM_WALLET'],
  USDT: ['ETHEREUM_WALLET', 'TRON_WALLET', 'PLASMA_WALLET'],
  BTC: ['SPARK_WALLET', 'BITCOIN_L1'],
  USDB: [],
  ...Object.fromEntries('HTG KES TZS UGX RWF ZMW MWK BWP XAF XOF'.split(' ').map((code) => [code, []])),
}

describe('funding instructions', () => {
  it.each(currencies.map(({ code }) => code))('of %s are complete, in order and valid', (code) => {
    const entries = fund(code)
    expectValid(entries)
    expect(typesOf(entries)).toEqual(expected[code] ?? [`${code}_ACCOUNT`])
    for (const { accountOrWalletInfo: info, instructionsNotes } of entries) {
      const reference = textOf(info, 'reference')
      if (reference === undefined) expect(instructionsNotes).toBeUndefined()
      else expect(instructionsNotes).toContain(reference)
    }
  })

  it.each(currencies.map(({ code }) => code))('of %s pass the checks that payers’ banks make', (code) => {
    for (const { accountOrWalletInfo: info } of fund(code)) {
      const type = findAccountType(info.accountType)
      // A code, a page, a CVU and a Bitcoin address are not accounts of a type; they have tests of their own.
      if (!type || info.qrCode || info.paymentUrl) continue
      const context = { strictness: 'FULL', today: '2025-10-13', now: 0 } as const
      const { shape, bank } = type.check(info, context)
      expect([...shape, ...bank], code).toEqual([])
    }
  })

  it('of dollars say everything a wire needs, and the stablecoin they also take', () => {
    const [bank, wallet] = fund('USD')
    expect(bank!.accountOrWalletInfo).toEqual({
      accountType: 'US_ACCOUNT',
      accountNumber: expect.stringMatching(/^\d{12}$/),
      routingNumber: expect.stringMatching(/^\d{9}$/),
      accountHolderName: expect.any(String),
      bankName: expect.any(String),
      bankAddress: expect.any(String),
      accountCategory: 'CHECKING',
      reference: expect.stringMatching(/^[2-9A-Z]{10}$/),
      paymentRails: ['RTP', 'FEDNOW', 'ACH', 'WIRE'],
    })
    expect(wallet!.accountOrWalletInfo).toMatchObject({ accountType: 'SOLANA_WALLET', assetType: 'USDC' })
  })

  it('of reais, Colombian pesos and rupees hold one coordinate that needs no reference', () => {
    const infoOf = (code: string) => fund(code)[0]!.accountOrWalletInfo
    expect(Object.keys(infoOf('BRL'))).toEqual(['accountType', 'qrCode'])
    expect(Object.keys(infoOf('COP'))).toEqual(['accountType', 'paymentUrl'])
    expect(Object.keys(infoOf('INR'))).toEqual(['accountType', 'vpa', 'paymentRails'])
    expect(infoOf('INR').paymentRails).toEqual(['UPI'])
  })

  it('share one address on all chains like Ethereum, and list each of them', () => {
    for (const asset of ['USDC', 'USDT']) {
      const addresses = fund(asset)
        .map(({ accountOrWalletInfo }) => String(accountOrWalletInfo.address))
        .filter((address) => address.startsWith('0x'))
      expect(addresses.length).toBeGreaterThan(1)
      expect(new Set(addresses).size).toBe(1)
    }
  })

  it('belong to one account alone, and are the same whenever they are asked for', async () => {
    const seen = new Set<string>()
    for (let round = 0; round < 20; round++) {
      for (const { code } of currencies) {
        for (const { accountOrWalletInfo: info } of fund(code)) {
          const coordinates = [
            'iban',
            'accountNumber',
            'clabeNumber',
            'vpa',
            'qrCode',
            'paymentUrl',
            'address',
          ]
          const given = coordinates.map((field) => textOf(info, field)).find((text) => text !== undefined)
          seen.add(`${info.accountType} ${given}`)
        }
      }
    }
    const entries = currencies.reduce((count, { code }) => count + fund(code).length, 0)
    expect(seen.size).toBe(20 * entries)
    const account = { accountId: world.id('InternalAccount'), currency: 'EUR', reference: 'ACCOUNT234' }
    const first = await sandboxInstructions.forAccount(account)
    expect(await sandboxInstructions.forAccount(account)).toEqual(first)
    const quote = { ...payIn, quoteId: world.id('Quote'), currency: 'BTC' }
    expect(await sandboxInstructions.forQuote(quote)).toEqual(await sandboxInstructions.forQuote(quote))
  })

  it('of Argentine pesos are a CVU with both its check digits', () => {
    // A CVU has the check digits of a CBU; this is one of a bank.
    expect(cvuOf('2850590', '4009041813520')).toBe('2850590940090418135201')
    expect(fund('ARS')[0]!.accountOrWalletInfo.accountNumber).toMatch(/^\d{22}$/)
  })

  it('of reais are a code whose checksum an app can verify', () => {
    const code = String(fund('BRL')[0]!.accountOrWalletInfo.qrCode)
    // CRC-16/CCITT over everything with the checksum's own four characters last.
    let crc = 0xffff
    for (const byte of Buffer.from(code.slice(0, -4))) {
      for (let bit = 7; bit >= 0; bit--) {
        const carry = ((crc >> 15) ^ (byte >> bit)) & 1
        crc = ((crc << 1) & 0xffff) ^ (carry ? 0x1021 : 0)
      }
    }
    expect(code.slice(-4)).toBe(crc.toString(16).toUpperCase().padStart(4, '0'))
  })
})

describe('instructions for a quote that is paid in at once', () => {
  const instruct = (currency: string, cryptoNetwork?: string) =>
    realtimeInstructions(seededBy(world.id('Quote')), {
      ...payIn,
      currency,
      ...(cryptoNetwork ? { cryptoNetwork } : {}),
    })

  it.each([
    ['USD', ['RTP', 'FEDNOW'], ['US_ACCOUNT', 'SOLANA_WALLET']],
    ['EUR', ['SEPA_INSTANT'], ['EUR_ACCOUNT']],
    ['GBP', ['FASTER_PAYMENTS'], ['GBP_ACCOUNT']],
    ['MXN', ['SPEI'], ['MXN_ACCOUNT']],
    ['INR', ['UPI'], ['INR_ACCOUNT']],
    ['SGD', ['FAST', 'PAYNOW'], ['SGD_ACCOUNT']],
    ['BRL', undefined, ['BRL_ACCOUNT']],
  ])('of %s show instant rails only, under the reference of the quote', (currency, rails, types) => {
    const entries = instruct(currency)
    expectValid(entries)
    expect(typesOf(entries)).toEqual(types)
    const [bank] = entries
    expect(bank!.accountOrWalletInfo.paymentRails).toEqual(rails)
    expect(JSON.stringify(bank).toUpperCase()).toContain(payIn.reference)
  })

  it('of reais ask for the exact amount', () => {
    expect(instruct('BRL')[0]!.accountOrWalletInfo.qrCode).toContain('540595.48')
  })

  it.each([
    ['USDC', 'BASE', 'BASE_WALLET'],
    ['USDT', 'TRON', 'TRON_WALLET'],
    ['USDT', 'SOLANA', 'SOLANA_WALLET'],
    ['USDB', 'SPARK', 'SPARK_WALLET'],
    ['BTC', 'BITCOIN', 'BITCOIN_L1'],
  ])('of %s on %s hold one fresh address', (currency, network, accountType) => {
    const [first, second] = [instruct(currency, network), instruct(currency, network)]
    expectValid(first)
    expect(typesOf(first)).toEqual([accountType])
    expect(first[0]!.accountOrWalletInfo.address).not.toBe(second[0]!.accountOrWalletInfo.address)
  })

  it('of bitcoin offer Spark, Lightning and the chain, with invoices over the exact amount', () => {
    const entries = instruct('BTC')
    expectValid(entries)
    expect(typesOf(entries)).toEqual(['SPARK_WALLET', 'LIGHTNING', 'BITCOIN_L1'])
    const invoices = entries.map(({ accountOrWalletInfo }) => textOf(accountOrWalletInfo, 'invoice'))
    for (const invoice of invoices.slice(0, 2)) {
      const sections = decode(invoice!).sections as { name: string; value?: unknown }[]
      const read = (name: string) => sections.find((section) => section.name === name)?.value
      expect(read('amount')).toBe('9548000')
      expect(read('description')).toBe(payIn.reference)
      expect(read('expiry')).toBe(120)
      expect(read('timestamp')).toBe(Math.floor(now / 1000))
      const lightning = findAccountType('LIGHTNING')!
      const context = { strictness: 'FULL', today: '2025-10-13', now } as const
      expect(lightning.check({ accountType: 'LIGHTNING', invoice }, context)).toEqual({ shape: [], bank: [] })
    }
  })
})
