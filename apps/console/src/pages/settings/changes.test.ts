import { describe, expect, it } from 'vitest'
import { changesOf, differenceOf, textOfMember } from './changes.ts'

const config = {
  webhookEndpoint: 'https://shop.example/hooks',
  umaDomain: 'shop.example',
  supportedCurrencies: [
    { currencyCode: 'USD', minAmount: 100, providerRequiredCustomerFields: ['FULL_NAME'] },
  ],
}

describe('the changes of a configuration', () => {
  it('are the members that differ, and no others', () => {
    const currencies = '[{"currencyCode":"USD","minAmount":200}]'
    expect(changesOf(config, { umaDomain: 'shop.example', supportedCurrencies: currencies })).toEqual({
      changes: { supportedCurrencies: [{ currencyCode: 'USD', minAmount: 200 }] },
      wrong: [],
    })
  })

  it('are none where JSON is written in another form, or as it was', () => {
    const same = textOfMember(config, 'supportedCurrencies')
    expect(same).not.toContain('providerRequired')
    const compact = '[{"currencyCode":"USD","minAmount":100}]'
    for (const supportedCurrencies of [same, compact, `\n${same}\n`]) {
      expect(changesOf(config, { supportedCurrencies })).toEqual({ changes: {}, wrong: [] })
    }
  })

  it('remove the endpoint with null, and name all that is wrong', () => {
    expect(changesOf(config, { webhookEndpoint: ' ' }).changes).toEqual({ webhookEndpoint: null })
    const { changes, wrong } = changesOf(config, { umaDomain: '', feeConfigs: '[', supportedCurrencies: '{' })
    expect(changes).toEqual({})
    expect(wrong).toHaveLength(3)
  })

  it('are shown as the lines that differ, with two around them', () => {
    const lines = (changed: string) => ['a', 'b', 'c', changed, 'd', 'e', 'f'].join('\n')
    expect(differenceOf(lines('1'), lines('2'))).toEqual({ old: 'b\nc\n1\nd\ne', new: 'b\nc\n2\nd\ne' })
    expect(differenceOf('', 'x')).toEqual({ old: '', new: 'x' })
    expect(differenceOf('a\na', 'a\na\na')).toEqual({ old: 'a\na', new: 'a\na\na' })
  })
})
