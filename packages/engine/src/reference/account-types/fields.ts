import { type FieldConstraint, lowerAscii, upperAscii } from '@corridor/kernel'
import { type TSchema, Type } from 'typebox'
import { isIban, swiftCodeCountry } from './checksums.ts'

/** One demand on the normalised text of a field. */
export interface Rule {
  readonly accepts: (text: string) => boolean
  /** Completes “<field> …”. */
  readonly message: string
  readonly constraint?: FieldConstraint
}

/** One field of a variant: what is published about it, how it is cleaned, what it must fulfil. */
export interface Field {
  /** Checked before normalisation, so it never speaks of the form of codes, only of type and bounds. */
  readonly schema: TSchema
  readonly isRequired: boolean
  readonly clean: (text: string) => string
  readonly shape: readonly Rule[]
  /** Shape that only FULL demands. */
  readonly fullShape: readonly Rule[]
  readonly bank: readonly Rule[]
}

interface FieldParts extends Partial<Omit<Field, 'isRequired'>> {
  readonly description?: string
  readonly maxLength?: number
}

/** Codes are typed with separators, so the bound before cleaning is generous. */
const CODE_MAX_LENGTH = 64

export function field(parts: FieldParts): Field {
  const bounds = { minLength: 1, maxLength: parts.maxLength ?? CODE_MAX_LENGTH }
  const schema = Type.String(
    parts.description === undefined ? bounds : { ...bounds, description: parts.description },
  )
  return {
    schema: parts.schema ?? schema,
    isRequired: false,
    clean: parts.clean ?? trimCode,
    shape: parts.shape ?? [],
    fullShape: parts.fullShape ?? [],
    bank: parts.bank ?? [],
  }
}

export function required(optional: Field): Field {
  return { ...optional, isRequired: true }
}

export function pattern(expression: RegExp, message: string): Rule {
  return { accepts: (text) => expression.test(text), message, constraint: { pattern: expression.source } }
}

/**
 * Spaces and hyphens are how people group the digits of a code (accounts 4.3). Codes pasted from documents contain
 * invisible format characters and longer dashes.
 */
export const stripSeparators = (text: string): string => text.replace(/[\s\p{Cf}\p{Pd}\u2212]/gu, '')
/** Names in several scripts need format characters between their letters; codes do not. */
export const trim = (text: string): string => text.trim()
export const trimCode = (text: string): string => text.replace(/\p{Cf}/gu, '').trim()
/** Phone numbers are also written with brackets, dots and slashes, with (0) for callers at home, and with 00 for the plus sign. */
export const plainPhone = (text: string): string =>
  stripSeparators(text)
    .replace(/^00/, '+')
    .replace(/^(\+[0-9]{1,3})\(0\)/, '$1')
    .replace(/[()./]/g, '')
/** Statements and forms print the word in front of the number. */
const plainIban = (text: string): string => upperCode(text).replace(/^IBAN:?/, '')
export const upperCode = (text: string): string => upperAscii(stripSeparators(text))
export const lowerCase = (text: string): string => lowerAscii(trimCode(text))
/** Bech32 may be written all upper case; mixed case is wrong and must stay visible as such. */
export const lowerBech32 = (text: string): string =>
  text === upperAscii(text) ? lowerCase(text) : trimCode(text)

/** Free text of a bounded length. */
export function text(maxLength: number, description?: string): Field {
  return field({
    maxLength,
    clean: trim,
    shape: [pattern(/\S/, 'must not be blank')],
    ...(description !== undefined && { description }),
  })
}

export const bankName = text(255, 'Name of the bank or wallet provider.')

/** One of a few words, exactly as listed. */
export function choice(values: readonly string[], description?: string): Field {
  const options = { type: 'string', ...(description !== undefined && { description }) }
  return field({ schema: Type.Enum([...values], options) })
}

export const platformAccountId = text(255, 'Your own id for the account.')

export const bankAccountType = choice(['CHECKING', 'SAVINGS'])

/** A code of `min` to `max` digits. */
export function digits(min: number, max: number = min, rest: FieldParts = {}): Field {
  const count = min === max ? `${min}` : `${min} to ${max}`
  return field({
    description: `${count} digits. Corridor ignores spaces and hyphens.`,
    clean: stripSeparators,
    shape: [
      pattern(new RegExp(`^[0-9]{${min === max ? min : `${min},${max}`}}$`), `must be ${count} digits`),
    ],
    ...rest,
  })
}

/** An account number of a country that fixes no form for it. */
export const accountNumber = field({
  maxLength: 34,
  shape: [pattern(/^\S.{0,33}$/, 'must be 1 to 34 characters')],
})

/** An IBAN; `form` is what a country fixes beyond the general shape. */
export function iban(
  form?: { readonly expression: RegExp; readonly words: string },
  bank: readonly Rule[] = [],
): Field {
  const general = pattern(/^[A-Z]{2}[0-9]{2}[A-Z0-9]{11,30}$/, 'must be an IBAN of 15 to 34 characters')
  return field({
    description: `${form ? `Must be ${form.words}` : 'International bank account number'}. Corridor ignores spaces.`,
    clean: plainIban,
    shape: [form ? pattern(form.expression, `must be ${form.words}`) : general],
    bank: [{ accepts: isIban, message: 'has a wrong length or check digits' }, ...bank],
  })
}

/** A BIC; where the account's country is fixed, the BIC must name the same one. */
export function swiftCode(country?: string): Field {
  const sameCountry: Rule = {
    accepts: (code) => swiftCodeCountry(code) === country,
    message: `must belong to a bank in ${country}`,
  }
  return field({
    description: 'SWIFT/BIC code, 8 or 11 characters.',
    clean: upperCode,
    shape: [
      { accepts: (code) => /^(.{8}|.{11})$/u.test(code), message: 'must be a BIC of 8 or 11 characters' },
      // ISO 9362:2022: the first four may be digits as well.
      pattern(
        /^[A-Z0-9]{4}[A-Z]{2}[A-Z0-9]{2}([A-Z0-9]{3})?$/,
        'must be a BIC: letters and digits, with the two letters of the country in places 5 and 6',
      ),
    ],
    bank: country === undefined ? [] : [sameCountry],
  })
}

/** A phone number in international form; `form` is what a country fixes beyond that. */
export function phoneNumber(
  form: RegExp = /^\+[0-9]{6,14}$/,
  words = 'a phone number such as +254712345678',
): Field {
  return field({
    description: 'Phone number in international form, with a plus sign and the country code.',
    clean: plainPhone,
    shape: [pattern(form, `must be ${words}`)],
  })
}

/** A mobile-money operator. Its name is free text until real money goes there (accounts 4.5). */
export function provider(names: readonly string[]): Field {
  const known = names.map((name) => upperAscii(name))
  return field({
    maxLength: 255,
    clean: trim,
    description: `Mobile money operator. Allowed values: ${names.join(', ')}.`,
    shape: [pattern(/\S/, 'must not be blank')],
    fullShape: [
      {
        accepts: (name) => known.includes(upperAscii(name)),
        message: `must be one of ${names.join(', ')}`,
        constraint: { enum: names },
      },
    ],
  })
}

export const country = field({
  description: 'ISO 3166-1 alpha-2 code.',
  clean: upperCode,
  shape: [pattern(/^[A-Z]{2}$/, 'must be a two-letter country code')],
})
