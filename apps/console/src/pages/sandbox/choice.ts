export interface Choice {
  readonly value: string
  readonly name: string
}

/** In place of a value: another one than those listed, of which nothing was typed yet. */
export const another = 'another'

/** What is meant by a value: where nothing was chosen the first of those listed, and nothing while another is typed. */
export function meantBy(value: string, of: readonly Choice[]): string {
  return value === another ? '' : value || (of[0]?.value ?? '')
}
