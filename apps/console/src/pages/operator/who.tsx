import { useOperatorNames } from './names.ts'

/** Somebody by their name; the id, which others know them by, stands under the pointer. */
export function Who({ id }: { readonly id: string | undefined }) {
  const nameOf = useOperatorNames()
  return id === undefined ? '—' : <span title={id}>{nameOf(id)}</span>
}
