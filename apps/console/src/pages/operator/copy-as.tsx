import { t } from '../../language/t.ts'
import { Copies } from '../../parts/copy.tsx'
import { masked } from '../../parts/masked.ts'

interface Forms {
  /** Of the operator API, behind `/operator/`. */
  readonly path: string
  /** The same as a command; nothing where none reads it alone. */
  readonly cli?: string
  readonly body: unknown
}

/** The same thing as a command, as data and as a link. The SDK is for platforms; the key is a variable, never its value. */
export function OperatorCopyAs({ path, cli, body }: Forms) {
  const curl = `curl '${location.origin}/operator/${path}' \\\n  -H "authorization: Bearer $CORRIDOR_OPERATOR_KEY"`
  return (
    <Copies
      of={[
        ['curl', () => curl],
        ...(cli === undefined ? [] : [['CLI', () => cli] as const]),
        ['JSON', () => masked(JSON.stringify(body, undefined, 2))],
        [t('Link'), () => location.href],
      ]}
    />
  )
}
