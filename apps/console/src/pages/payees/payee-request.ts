interface Chosen {
  readonly currency: string
  readonly accountType: string
  /** Absent where the account names nobody. */
  readonly owner?: string
}

/** The request that a filled-in form makes: its fields are named by their path, and what is empty is left out. */
export function payeeRequest(
  { currency, accountType, owner }: Chosen,
  given: readonly (readonly [path: string, value: string])[],
): object {
  const accountInfo: Record<string, unknown> = {
    accountType,
    ...(owner ? { beneficiary: { beneficiaryType: owner } } : {}),
  }
  for (const [path, value] of given) {
    const text = value.trim()
    const [root, ...names] = path.split('.')
    if (root !== 'accountInfo' || text === '') continue
    const last = names.pop()!
    let place = accountInfo
    for (const name of names) {
      place[name] ??= {}
      place = place[name] as Record<string, unknown>
    }
    place[last] = text
  }
  return { currency, accountInfo }
}
