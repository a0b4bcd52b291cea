import type { FieldProblem } from './errors.ts'

/**
 * Marks that are not seen: soft hyphen, direction marks, a byte order mark. Names of people are written with some of them;
 * where an operator tells one name from another, they make two that look the same.
 */
const unseen = /[\u00ad\u200e\u200f\ufeff]/

/** What is wrong with the `name` in a body of any shape, where names are told apart by eye. */
export function nameProblems({ name }: Readonly<Record<string, unknown>>): FieldProblem[] {
  if (typeof name !== 'string' || !unseen.test(name)) return []
  return [{ field: 'name', message: 'contains invisible characters' }]
}
