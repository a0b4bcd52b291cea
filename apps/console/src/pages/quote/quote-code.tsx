import { useSession } from '../../app/session.tsx'
import { t } from '../../language/t.ts'
import { Code } from '../../parts/code.tsx'
import { useInWorld } from '../../parts/in-world.ts'

/** The request that a form makes, as code; what has no amount yet is nothing to be copied. */
export function QuoteCode({ body, hasAmount }: { readonly body: object; readonly hasAmount: boolean }) {
  const { corridor } = useSession()
  const there = useInWorld()
  const json = JSON.stringify(body, undefined, 2)
  const curl = corridor.curl({ method: 'POST', path: '/quotes', body } as never)
  const code = {
    sdk: `const quote = await corridor.quotes.create(${json.replaceAll(/"(\w+)":/g, '$1:')})`,
    cli: `corridor quotes create --data '${json}'`,
  }
  return (
    <Code
      label={t('As code')}
      lacks={hasAmount ? undefined : t('Enter an amount to copy it.')}
      forms={[
        ['curl', there.curl(curl)],
        ['TypeScript', there.sdk(code.sdk)],
        ['CLI', there.cli(code.cli)],
      ]}
    />
  )
}
