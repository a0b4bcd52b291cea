/**
 * What an operation of the operator may be abused for. Every operation that changes something names its power, so an
 * operation that gives as much as another one needs as many people: two, where one operator alone could enrich
 * themselves or somebody else.
 */
export const powers = {
  /** Gives credentials, roles or accounts, with which somebody may act. */
  ACCESS: { takesTwo: true },
  /** Moves money to where the operator says, or lets go what was held back. */
  MONEY: { takesTwo: true },
  /** Changes what a platform pays, and what it may do without being checked. */
  TERMS: { takesTwo: true },
  /** Decides who may move money. */
  DECISION: { takesTwo: true },
  /** Sends a platform so much again that it could act on it twice. */
  DELIVERY: { takesTwo: true },
  /** Stops something or takes something away. One person suffices, because it may be urgent. */
  STOP: { takesTwo: false },
  /** Repeats or records work whose outcome something else decides. */
  REPAIR: { takesTwo: false },
  /** Concerns the operator's own key, or has rules of its own about who may. */
  OWN: { takesTwo: false },
} as const satisfies Record<string, { readonly takesTwo: boolean }>

export type Power = keyof typeof powers

/** Whether an operation is proposed by one operator and approved by another, where there is another. */
export function takesTwo({ power }: { readonly power?: Power }): boolean {
  return power !== undefined && powers[power].takesTwo
}
