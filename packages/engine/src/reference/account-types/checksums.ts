import { clabe } from 'clabe-validator'
import { ValidationErrorsIBAN, validateIBAN } from 'ibantools'

/**
 * Length per country and the mod-97 remainder (accounts 4.4). National check digits inside the account
 * part are left to the bank, as for sort codes: their rules change without notice.
 */
export function isIban(iban: string): boolean {
  const { errorCodes } = validateIBAN(iban)
  return errorCodes.every((code) => code === ValidationErrorsIBAN.WrongAccountBankBranchChecksum)
}

/** The SWIFT code's country, letters five and six. */
export function swiftCodeCountry(swiftCode: string): string {
  return swiftCode.slice(4, 6)
}

/** ABA routing number: weights 3, 7, 1 and a first pair in a range that was ever issued (accounts 4.4). */
export function isRoutingNumber(digits: string): boolean {
  if (!/^\d{9}$/.test(digits)) return false
  const prefix = Number(digits.slice(0, 2))
  const isIssued =
    prefix <= 12 || (prefix >= 21 && prefix <= 32) || (prefix >= 61 && prefix <= 72) || prefix === 80
  return isIssued && weightedSum(digits, [3, 7, 1, 3, 7, 1, 3, 7, 1]) % 10 === 0
}

/**
 * The CLABE check digit only. The library also knows banks and places, but refusing a bank founded
 * after its last release would be worse than letting the network refuse an unknown one.
 */
export function isClabe(digits: string): boolean {
  return /^\d{18}$/.test(digits) && clabe.computeChecksum(digits.slice(0, 17)) === Number(digits[17])
}

/** Brazilian personal tax number: two mod-11 digits; equal digits pass them and are never issued. */
export function isCpf(digits: string): boolean {
  if (!/^\d{11}$/.test(digits) || isOneDigitRepeated(digits)) return false
  return (
    mod11(digits, [10, 9, 8, 7, 6, 5, 4, 3, 2]) === Number(digits[9]) &&
    mod11(digits, [11, 10, 9, 8, 7, 6, 5, 4, 3, 2]) === Number(digits[10])
  )
}

/**
 * Brazilian company tax number, by the same rule with other weights. Since July 2026 its first twelve characters may be letters
 * (Receita Federal, IN 2229/2024): A counts 17, Z counts 42, as far from 0 as in ASCII.
 */
export function isCnpj(text: string): boolean {
  if (!/^[0-9A-Z]{12}\d{2}$/.test(text) || isOneDigitRepeated(text)) return false
  return (
    mod11(text, [5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2]) === Number(text[12]) &&
    mod11(text, [6, 5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2]) === Number(text[13])
  )
}

function isOneDigitRepeated(digits: string): boolean {
  return digits === digits[0]?.repeat(digits.length)
}

function mod11(digits: string, weights: readonly number[]): number {
  const remainder = weightedSum(digits, weights) % 11
  return remainder < 2 ? 0 : 11 - remainder
}

function weightedSum(digits: string, weights: readonly number[]): number {
  return weights.reduce((sum, weight, index) => sum + weight * (digits.charCodeAt(index) - zero), 0)
}

const zero = '0'.charCodeAt(0)
