/**
 * How much a random test tries: the usual number of cases in `npm test`, the thorough one in `npm run proof`.
 * CORRIDOR_PROOF_SEED changes which ones.
 */
export function effort(usual: number, thorough: number): number {
  return isProof ? thorough : usual
}

export const isProof = process.env.CORRIDOR_PROOF === 'on'

/** The seed of a proof, or the one a test always uses. */
export function proofSeed(usual: number): number {
  return Number(process.env.CORRIDOR_PROOF_SEED ?? usual)
}
