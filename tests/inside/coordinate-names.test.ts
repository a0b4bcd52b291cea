import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { rowsOf } from '../../apps/console/src/pages/accounts/coordinate-names.ts'

interface Schema {
  readonly allOf?: readonly Schema[]
  readonly properties?: Readonly<Record<string, unknown>>
}

const document = new URL('../../openapi/openapi.json', import.meta.url)
const schemas: Readonly<Record<string, Schema>> = JSON.parse(readFileSync(document, 'utf8')).components
  .schemas

const fieldsOf = ({ allOf = [], properties = {} }: Schema): string[] => [
  ...Object.keys(properties),
  ...allOf.flatMap(fieldsOf),
]

it('has a name for every field of the ways in which money can be sent to an account', () => {
  const kinds = Object.entries(schemas).filter(([name]) => /^Payment\w+Info$/.test(name))
  const fields = new Set(kinds.flatMap(([, schema]) => fieldsOf(schema)))
  expect(fields.size).toBeGreaterThan(25)
  const nameless = [...fields].filter((field) => rowsOf({ [field]: 'given' })[0]![0] === field)
  expect(nameless).toEqual([])
})

it('has a name for every field of the ways in which a mint or burn can be funded', () => {
  // The document leaves those of a bank open.
  const ofBank = ['rail', 'bankName', 'routingNumber', 'accountNumber', 'beneficiaryName', 'reference']
  const fields = [...ofBank, ...fieldsOf(schemas.StablecoinFundingInstructions!)]
  expect(fields).toContain('valueType')
  expect(fields.filter((field) => rowsOf({ [field]: 'given' })[0]![0] === field)).toEqual([])
})

it('names what lies deeper after what it lies in, and leaves out what is not there', () => {
  const info = { bankName: 'A', reference: null, provider: { network: 'B' }, paymentRails: ['C', 'D'] }
  expect(rowsOf(info)).toEqual([
    ['Bank name', 'A'],
    ['Provider Network', 'B'],
    ['Payment rails', 'C, D'],
  ])
})
