import { describe, expect, it, test } from 'vitest'
import { ledgerAccount, ledgerAccountRule } from './accounts.ts'
import { ledgerAccountKinds } from './chart.ts'

const internalAccountId = 'InternalAccount:0190b4a0-0000-7000-8000-00000000000a'
const transactionId = 'Transaction:0190b4a0-0000-7000-8000-00000000000b'

describe('ledger account keys', () => {
  test.each([
    [ledgerAccount.available(internalAccountId), `avail:${internalAccountId}`, undefined, true, false],
    [ledgerAccount.pending(internalAccountId), `pend:${internalAccountId}`, undefined, true, false],
    [ledgerAccount.clearing(transactionId, 'USD'), `txn:${transactionId}:USD`, 'USD', true, true],
    [ledgerAccount.refund(transactionId, 'USD'), `refund:${transactionId}:USD`, 'USD', true, true],
    [ledgerAccount.platformFee(transactionId, 'USD'), `pfee:${transactionId}:USD`, 'USD', true, true],
    [ledgerAccount.fx('EUR'), 'fx:EUR', 'EUR', false, false],
    [ledgerAccount.serviceFee('EUR'), 'fee:EUR', 'EUR', false, false],
    [ledgerAccount.counterpartyFee('EUR'), 'cpfee:EUR', 'EUR', false, false],
    [ledgerAccount.networkFee('USDC'), 'netfee:USDC', 'USDC', false, false],
    [ledgerAccount.rail('SEPA_INSTANT', 'EUR'), 'rail:SEPA_INSTANT:EUR', 'EUR', false, false],
    [ledgerAccount.suspense('EUR'), 'susp:EUR', 'EUR', false, false],
    [ledgerAccount.receivable('Customer:1', 'EUR'), 'recv:Customer:1:EUR', 'EUR', false, false],
    [ledgerAccount.loss('EUR'), 'loss:EUR', 'EUR', false, false],
  ])('%s', (key, expected, currency, mustNotGoNegative, mustEndEmpty) => {
    expect(key).toBe(expected)
    const rule = ledgerAccountRule(key)
    expect([rule.currency, rule.mustNotGoNegative, rule.mustEndEmpty]).toEqual([
      currency,
      mustNotGoNegative,
      mustEndEmpty,
    ])
  })

  it('name their kind', () => {
    expect(ledgerAccountRule('fx:EUR').kind).toBe('fx')
    expect(ledgerAccountRule(`avail:${internalAccountId}`).kind).toBe('avail')
  })

  it('cover the chart of accounts', () => {
    const made = Object.values(ledgerAccount).map((make) => ledgerAccountRule(make('a', 'b')).kind)
    expect(made.sort()).toEqual(Object.keys(ledgerAccountKinds).sort())
  })

  it.each(['', 'avail', 'avail:', 'cash:USD', 'USD'])('refuse %j', (key) => {
    expect(() => ledgerAccountRule(key)).toThrow('assertion failed')
  })
})
