import type { PayerField } from '../../ports/uma.ts'
import { CustomerInfoFieldName } from '../../vocabulary/shapes.ts'

/** The words of the API for what is known of a person, and those of the protocol (webhooks-uma 6.5). */

const keys: Readonly<Partial<Record<PayerField, string>>> = {
  FULL_NAME: 'name',
  ACCOUNT_IDENTIFIER: 'accountNumber',
}

/** Protocol keys that mean something else than their name in the API does: a UMA address, never a document. */
const reservedKeys: ReadonlySet<string> = new Set(['identifier', 'compliance'])

const names = (CustomerInfoFieldName as unknown as { readonly enum: readonly PayerField[] }).enum

const known: ReadonlySet<unknown> = new Set(names)

/** Whether it is the API's word for something that is known of a person. */
export function isPayerField(name: unknown): name is PayerField {
  return known.has(name)
}

export function toUmaKey(name: PayerField): string {
  const [first = '', ...rest] = name.toLowerCase().split('_')
  return keys[name] ?? [first, ...rest.map((word) => word.charAt(0).toUpperCase() + word.slice(1))].join('')
}

const byKey = new Map<string, PayerField>([
  ...names.filter((name) => name !== 'IDENTIFIER').map((name) => [toUmaKey(name), name] as const),
  ['countryCode', 'COUNTRY_OF_RESIDENCE'],
])

/** Undefined for `identifier`, `compliance`, and whatever the API has no word for. */
export function fromUmaKey(key: string): PayerField | undefined {
  return reservedKeys.has(key) ? undefined : byKey.get(key)
}
