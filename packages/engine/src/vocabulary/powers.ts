/**
 * Power that an operator operation gives, which is also how it could be abused. Every operation that changes something names its
 * power. Operations with the same power need the same number of people: two if one operator alone could enrich themselves or
 * another person.
 */
export const powers = {
  /** Creates credentials, roles or accounts. */
  ACCESS: { takesTwo: true },
  /** Moves money to a place that the operator chooses, or releases stopped money. */
  MONEY: { takesTwo: true },
  /** Changes the prices, limits and preconditions of a platform. */
  TERMS: { takesTwo: true },
  /** Decides which customers may move money. */
  DECISION: { takesTwo: true },
  /** Resends so many events that the platform could act on them twice. */
  DELIVERY: { takesTwo: true },
  /** Stops or revokes something. One person is enough, because it may be urgent. */
  STOP: { takesTwo: false },
  /** Repeats or records work without choosing its outcome. */
  REPAIR: { takesTwo: false },
  /** Concerns the operator's own key, or has its own rules for permission. */
  OWN: { takesTwo: false },
} as const satisfies Record<string, { readonly takesTwo: boolean }>

export type Power = keyof typeof powers

/** True if the operation needs the approval of another operator, provided that there is one. */
export function takesTwo({ power }: { readonly power?: Power }): boolean {
  return power !== undefined && powers[power].takesTwo
}
