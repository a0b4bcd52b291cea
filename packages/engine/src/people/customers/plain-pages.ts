import { ok } from '@corridor/kernel'
import type { PlainPage } from '../../mechanisms/feature/bound.ts'
import { knownVersions, termsPath } from './end-user-terms.ts'

/** What the `url` of the current terms leads to, one page per known version (customers 7). */
export const customerPlainPages: readonly PlainPage[] = knownVersions.map((version) => ({
  path: termsPath(version),
  answer: async () => ok({ contentType: 'text/plain', body: textOf(version) }),
}))

function textOf(version: string): string {
  return `Terms for end users, version ${version}

The operator of this installation has not published its terms yet.

Operators: set CORRIDOR_END_USER_TERMS_URL to the address of your terms.
`
}
