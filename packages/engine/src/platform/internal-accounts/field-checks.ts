import { isCompressed, parsePoint } from '../../mechanisms/wallet-crypto/index.ts'
import type { FieldProblem } from '../../vocabulary/errors.ts'

/** A change has to change something; unknown members do not count (wallets 7). */
export function checkPrivacy(body: Readonly<Record<string, unknown>>): FieldProblem[] {
  return body.privateEnabled === undefined ? [{ field: 'privateEnabled', message: 'is required' }] : []
}

/** An export is sealed to an uncompressed point of P-256 in hex (wallets 1). */
export function checkExport({ clientPublicKey }: Readonly<Record<string, unknown>>): FieldProblem[] {
  if (typeof clientPublicKey !== 'string' || isUncompressedPoint(clientPublicKey)) return []
  return [{ field: 'clientPublicKey', message: 'is not an uncompressed P-256 public key in hex' }]
}

function isUncompressedPoint(text: string): boolean {
  return parsePoint(text) !== undefined && !isCompressed(text)
}
