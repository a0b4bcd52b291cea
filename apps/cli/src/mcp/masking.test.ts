import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { isMasked, masked } from './masking.ts'

type Schema = {
  readonly $ref?: string
  readonly format?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
} & { readonly [part in 'allOf' | 'oneOf' | 'anyOf']?: readonly Schema[] }

const { paths, components } = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../../../openapi/openapi.json'), 'utf8'),
)

/** Every field of every answer to a request that succeeds, with the name of what is around it. */
const fields = new Map<string, { name: string; parent: string; isAddress: boolean }>()
const walked = new Set<string>()
function walk({ $ref, properties = {}, items, ...schema }: Schema, around: string): void {
  if ($ref !== undefined) {
    const id = `${around} ${$ref}`
    if (walked.has(id)) return
    walked.add(id)
    walk(components.schemas[$ref.split('/').at(-1)!], around)
  }
  for (const part of [...(schema.allOf ?? []), ...(schema.oneOf ?? []), ...(schema.anyOf ?? [])]) {
    walk(part, around)
  }
  if (items) walk(items, around)
  for (const [name, inner] of Object.entries(properties)) {
    const parent = name === 'code' ? around : ''
    fields.set(`${parent && `${parent}.`}${name}`, { name, parent, isAddress: inner.format === 'uri' })
    walk(inner, name)
  }
}
for (const methods of Object.values<object>(paths)) {
  for (const { responses = {} } of Object.values<{ responses?: object }>(methods as never)) {
    for (const [status, { content = {} }] of Object.entries<{ content?: object }>(responses as never)) {
      if (!status.startsWith('2')) continue
      for (const { schema } of Object.values<{ schema: Schema }>(content as never)) walk(schema, '')
    }
  }
}

describe('what agents see of answers', () => {
  it('has these fields masked, of all answers', () => {
    const all = [...fields].filter(([, { name, parent }]) => isMasked(name, parent)).map(([path]) => path)
    expect(all.sort()).toEqual([
      'accessToken',
      'accountIdentifier',
      'accountNumber',
      'bankIdentifier',
      'clabeNumber',
      'clientSecret',
      'deviceCode.code',
      'documentNumber',
      'encryptedSessionSigningKey',
      'encryptedWalletCredentials',
      'iban',
      'identifier',
      'issuerTransactionToken',
      'kycUrl',
      'lightningAddress',
      'livenessAccessToken',
      'networkTokenIdentifier',
      'otpEncryptionTargetBundle',
      'panEmbedUrl',
      'pixKey',
      'providerTokenIdentifier',
      'recoveryCodes',
      'secret',
      'secretBase32Encoded',
      'sourceTokenIdentifier',
      'taxId',
      'token',
      'totpUri',
      'verificationLink',
      'vpa',
    ])
  })

  it('shows addresses of these names alone, unless they carry a token', () => {
    const shown = [...fields].filter(
      ([, { name, parent, isAddress }]) =>
        (isAddress || /(url|uri|link)$/i.test(name)) && !isMasked(name, parent),
    )
    expect(shown.map(([path]) => path).sort()).toEqual([
      'baseUrl',
      'logoUrl',
      'paymentUrl',
      'url',
      'webhookEndpoint',
    ])
  })

  it('has every address masked that carries a token, and every secret in a list or a document', () => {
    const token = '3f9c1b7a5e2d4c8b9a6f'
    for (const address of [
      `https://a.example/cards/${token}`,
      `https://a.example/?t=${token}`,
      `https://a.example/#${token}`,
      'https://user:pass@a.example/',
    ]) {
      expect(masked({ url: address }), address).toEqual({ url: 'https://a.example/…' })
    }
    const logo = { logoUrl: 'https://larch.example/images/logo.png' }
    expect(masked(logo)).toEqual(logo)
    const fork = { baseUrl: 'http://localhost:8080/forks/a-name-of-many-words-2026/2025-10-13' }
    expect(masked(fork)).toEqual(fork)
    expect(masked({ recoveryCodes: ['aaaa-bbbb'], body: '{"iban":"DE89370400440532013000"}' })).toEqual({
      recoveryCodes: ['…bbbb'],
      body: '{"iban":"…3000"}',
    })
    expect(masked({ deviceCode: { code: 'SVC-AGENT-ABCD-EFGH' }, currency: { code: 'USD' } })).toEqual({
      deviceCode: { code: '…' },
      currency: { code: 'USD' },
    })
  })

  it('shows of the account data of every account type only what does not identify the account', () => {
    const names = new Set<string>()
    function collect({ $ref, properties = {}, ...schema }: Schema): void {
      if ($ref !== undefined) collect(components.schemas[$ref.split('/').at(-1)!])
      for (const part of [...(schema.allOf ?? []), ...(schema.oneOf ?? []), ...(schema.anyOf ?? [])])
        collect(part)
      for (const name of Object.keys(properties)) names.add(name)
    }
    collect({ $ref: '#/components/schemas/ExternalAccountInfo' })
    const [hidden, shown] = [true, false].map((is) =>
      [...names].filter((name) => isMasked(name, 'accountInfo') === is).sort(),
    )
    expect(hidden).toEqual([
      'accountNumber',
      'clabeNumber',
      'iban',
      'lightningAddress',
      'phoneNumber',
      'pixKey',
      'taxId',
      'vpa',
    ])
    // Addresses on a blockchain and payment requests are public, and agents need them whole. The others are codes of banks.
    expect(shown).toEqual([
      'accountCategory',
      'accountType',
      'address',
      'bankAccountType',
      'bankCode',
      'bankName',
      'beneficiary',
      'bolt12',
      'branchCode',
      'country',
      'fiToFiInformation',
      'ifsc',
      'intermediaryBankName',
      'intermediaryRoutingNumber',
      'invoice',
      'paymentRails',
      'pixKeyType',
      'platformAccountId',
      'provider',
      'rail',
      'region',
      'routingNumber',
      'sortCode',
      'swiftCode',
      'vaspName',
    ])
    const account = {
      pixKey: 'ana@bank.example',
      pixKeyType: 'EMAIL',
      vpa: 'ana@upi',
      phoneNumber: '+254700000001',
    }
    expect(masked({ accountInfo: account, phoneNumber: '+254700000001' })).toEqual({
      accountInfo: { pixKey: '…mple', pixKeyType: 'EMAIL', vpa: '…@upi', phoneNumber: '…0001' },
      phoneNumber: '+254700000001',
    })
  })
})
