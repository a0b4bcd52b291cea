import { type AccountInfo, textOf } from './account-type.ts'
import { isCnpj, isCpf } from './checksums.ts'
import { defineAccountType } from './define.ts'
import type { Refuse } from './definition.ts'
import { examplePerson } from './example-beneficiary.ts'
import {
  choice,
  field,
  lowerCase,
  pattern,
  plainPhone,
  required,
  text,
  trimCode,
  upperCode,
} from './fields.ts'

interface PixKeyForm {
  readonly clean: (key: string) => string
  readonly form: RegExp
  readonly words: string
  readonly isGenuine?: (key: string) => boolean
}

/** Tax numbers are printed with dots and a slash besides the hyphen. */
const stripPunctuation = (key: string) => upperCode(key).replace(/[./]/g, '')

const maxKeyLength = 77

/** The five kinds of key an account can be found by (accounts 4.4). */
const PIX_KEYS: Readonly<Record<string, PixKeyForm>> = {
  CPF: { clean: stripPunctuation, form: /^[0-9]{11}$/, words: '11 digits', isGenuine: isCpf },
  CNPJ: {
    clean: stripPunctuation,
    form: /^[0-9A-Z]{12}[0-9]{2}$/,
    words: '12 letters or digits and 2 digits',
    isGenuine: isCnpj,
  },
  EMAIL: { clean: lowerCase, form: /^[^@\s]+@[^@\s.]+(?:\.[^@\s.]+)+$/, words: 'an e-mail address' },
  PHONE: { clean: plainPhone, form: /^\+55[0-9]{10,11}$/, words: '+55 and 10 or 11 digits' },
  RANDOM: { clean: lowerCase, form: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, words: 'a uuid' },
}

/** Brazilian reais over Pix (accounts 4.5): the key finds the account, the tax number proves whose it is. */
export const brazil = defineAccountType({
  name: 'BRL_ACCOUNT',
  kind: 'BANK',
  currencies: ['BRL'],
  countries: ['BR'],
  fields: {
    // The form depends on the type of key, so it is judged below.
    pixKey: required(field({ maxLength: maxKeyLength, clean: trimCode })),
    pixKeyType: required(choice(Object.keys(PIX_KEYS))),
    taxId: required(
      field({
        description: 'CPF or CNPJ of the holder. Corridor ignores dots, slashes and hyphens.',
        clean: stripPunctuation,
        shape: [
          pattern(
            /^([0-9]{11}|[0-9A-Z]{12}[0-9]{2})$/,
            'must be a CPF of 11 digits, or a CNPJ of 12 letters or digits and 2 digits',
          ),
        ],
        bank: [{ accepts: (id) => isCpf(id) || isCnpj(id), message: 'has wrong check digits' }],
      }),
    ),
  },
  identifiers: [{ field: 'pixKey', rails: ['PIX'] }],
  derive(info) {
    const pixKey = textOf(info, 'pixKey')
    const cleaned = pixKey === undefined ? undefined : formOf(info)?.clean(pixKey)
    // Of signs alone nothing is left, and what was sent is refused.
    return cleaned ? { ...info, pixKey: cleaned } : info
  },
  refuseShape(info, refuse) {
    const form = formOf(info)
    // Also where nothing but blanks was sent, of which nothing is left.
    const { pixKey } = info
    // A key that is too long has been refused for it.
    if (form && typeof pixKey === 'string' && pixKey.length <= maxKeyLength && !form.form.test(pixKey)) {
      refuse('pixKey', `must be ${form.words}`, { pattern: form.form.source })
    }
  },
  refuseBank: refuseInventedKey,
  // The copy-and-paste string holds everything a payer needs.
  funding: { fields: { qrCode: required(text(1024)) }, replacesFields: true, reference: 'NONE' },
  example: {
    pixKey: '52998224725',
    pixKeyType: 'CPF',
    taxId: '52998224725',
    beneficiary: examplePerson,
  },
})

function refuseInventedKey(info: AccountInfo, _context: unknown, refuse: Refuse): void {
  const form = formOf(info)
  const pixKey = textOf(info, 'pixKey')
  if (!form?.isGenuine || pixKey === undefined || !form.form.test(pixKey)) return
  if (!form.isGenuine(pixKey)) refuse('pixKey', 'has wrong check digits')
}

function formOf(info: AccountInfo): PixKeyForm | undefined {
  const type = textOf(info, 'pixKeyType')
  return type !== undefined && Object.hasOwn(PIX_KEYS, type) ? PIX_KEYS[type] : undefined
}
