import { Ajv } from 'ajv'
import { describe, expect, it } from 'vitest'
import { validatorComponents } from '../../mechanisms/http/components.ts'
import { accountTypeNames, accountTypes, discriminators } from './catalogue.ts'
import { externalAccountCreateInfo, externalAccountInfo, paymentInstructions } from './published-schemas.ts'

// Registered as the server registers them, so that the unions are tested in the form they run in.
const components = validatorComponents()
const roots = {
  request: components.reference(externalAccountCreateInfo),
  response: components.reference(externalAccountInfo),
  instruction: components.reference(paymentInstructions),
}
const ajv = new Ajv({
  discriminator: true,
  allErrors: true,
  strict: false,
  schemas: Object.values(components.all()),
})

function errorsOf(root: keyof typeof roots, value: unknown): string[] {
  const validate = ajv.compile(roots[root])
  validate(value)
  return (validate.errors ?? []).map(({ instancePath, params }) => params.missingProperty ?? instancePath)
}

describe('the published union', () => {
  it.each(accountTypeNames)('takes %s in a request and in a response', (accountType) => {
    const type = accountTypes.find(({ name, aliases }) => [name, ...aliases].includes(accountType))!
    const sent = { ...type.example, accountType }
    expect(errorsOf('request', sent)).toEqual([])
    const info = type.normalize(sent)
    expect(errorsOf('response', { ...info, paymentRails: type.rails(info) })).toEqual([])
  })

  it('knows every name of the catalogue and no other', () => {
    expect([...discriminators.external.enum].sort()).toEqual([...accountTypeNames].sort())
  })

  it('complains about the fields of the one variant that was meant', () => {
    const sent = { accountType: 'GBP_ACCOUNT', sortCode: 5, beneficiary: { beneficiaryType: 'INDIVIDUAL' } }
    expect(errorsOf('request', sent)).toEqual(['accountNumber', '/sortCode', 'fullName'])
  })

  it('refuses a variant nobody knows with a single error', () => {
    expect(errorsOf('request', { accountType: 'GBP' })).toEqual([''])
  })

  it('takes codes as people type them, for normalisation to clean', () => {
    const { example } = accountTypes.find(({ name }) => name === 'USD_ACCOUNT')!
    expect(errorsOf('request', { ...example, routingNumber: '021-000 021' })).toEqual([])
  })

  it('shows funding in dollars under both names', () => {
    const accountOrWalletInfo = {
      reference: 'COR7Q2M4',
      accountNumber: '000123456789',
      routingNumber: '021000021',
      accountHolderName: 'Amina Okafor',
      bankName: 'Example Bank',
      paymentRails: ['ACH'],
    }
    for (const accountType of ['US_ACCOUNT', 'USD_ACCOUNT']) {
      const category = accountType === 'US_ACCOUNT' ? 'accountCategory' : 'bankAccountType'
      const instruction = {
        accountOrWalletInfo: { ...accountOrWalletInfo, accountType, [category]: 'CHECKING' },
      }
      expect(errorsOf('instruction', instruction)).toEqual([])
    }
  })

  it('shows only what a payer needs where another coordinate replaces the account', () => {
    const entries = [
      { accountType: 'BRL_ACCOUNT', qrCode: '000201…' },
      { accountType: 'COP_ACCOUNT', paymentUrl: 'https://pay.example/1' },
      { accountType: 'ARS_ACCOUNT', accountNumber: '0000003100074052501434' },
      { accountType: 'INR_ACCOUNT', vpa: 'corridor@upi', paymentRails: ['UPI'] },
      { accountType: 'SPARK_WALLET', assetType: 'BTC', address: 'spark1…' },
      { accountType: 'BITCOIN_L1', address: 'bc1q…', network: 'BITCOIN' },
    ]
    for (const accountOrWalletInfo of entries) {
      expect(errorsOf('instruction', { accountOrWalletInfo })).toEqual([])
    }
  })
})
