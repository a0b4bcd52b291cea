import type { FieldProblem } from '../../vocabulary/errors.ts'

const nicknameForm = /^[\p{L}\p{N} ._\-'()]+$/u
const longestNickname = 100

/** A passkey has a name that people choose (wallets 5.1). Characters are counted, not their halves. */
export function checkCreate({ type, nickname }: Readonly<Record<string, unknown>>): FieldProblem[] {
  if (type !== 'PASSKEY' || typeof nickname !== 'string') return []
  const name = nickname.trim()
  if (name.length <= 2 * longestNickname && [...name].length <= longestNickname && nicknameForm.test(name)) {
    return []
  }
  return [{ field: 'nickname', message: "must be 1 to 100 letters, digits, blanks and . _ - ' ( )" }]
}
