import type { FieldProblem } from '../../vocabulary/errors.ts'

/** `btkn1...` on the main network and `btknrt1...` on the test one, in the alphabet of bech32. */
const sparkToken = /^btkn(rt)?1[02-9ac-hj-np-z]+$/

/** What a schema cannot say about the name of a token on its network (cards-stablecoins 2.2). */
export function checkToken({ networkTokenIdentifier }: Readonly<Record<string, unknown>>): FieldProblem[] {
  const isWrong =
    typeof networkTokenIdentifier === 'string' &&
    networkTokenIdentifier.length <= 255 &&
    !sparkToken.test(networkTokenIdentifier)
  return isWrong
    ? [
        {
          field: 'networkTokenIdentifier',
          message: 'must be btkn1 or btknrt1 and lower-case bech32 characters',
        },
      ]
    : []
}
