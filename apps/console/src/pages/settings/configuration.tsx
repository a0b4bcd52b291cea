import type { Answer } from '@corridor/sdk/index.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useSession } from '../../app/session.tsx'
import { t } from '../../language/t.ts'
import { Act } from '../../parts/act.tsx'
import { Facts, Id, Moment } from '../../parts/facts.tsx'
import { Part } from '../../parts/page.tsx'
import { Loading, Trouble } from '../../parts/states.tsx'
import { type Changes, changesOf, differenceOf, editable, textOfMember } from './changes.ts'

type Config = Answer<'getPlatformConfig'>

/** What the platform has set, and a form that shows each change before it saves it. */
export function Configuration() {
  const { corridor } = useSession()
  const config = useQuery({ queryKey: ['config'], queryFn: () => corridor.config.get() })
  return (
    <Part title={t('Configuration')}>
      {config.data ? (
        <Configured config={config.data} />
      ) : config.isPending ? (
        <Loading />
      ) : (
        <Trouble error={config.error} onRetry={() => void config.refetch()} />
      )}
    </Part>
  )
}

function Configured({ config: data }: { readonly config: Config }) {
  return (
    <>
      <Facts
        of={[
          [t('Id'), <Id key="i" id={data.id} />],
          [t('UMA domain'), data.umaDomain],
          [t('Regulated'), data.isRegulatedFinancialInstitution ? t('yes') : t('no')],
          [t('Currencies'), data.supportedCurrencies.map(({ currencyCode }) => currencyCode).join(' ')],
          [t('Changed'), <Moment key="u" at={data.updatedAt} />],
        ]}
      />
      <Form config={data} />
    </>
  )
}

function Form({ config }: { readonly config: Config }) {
  const { corridor } = useSession()
  const [given, setGiven] = useState<Readonly<Record<string, string>>>({})
  const { changes, wrong } = changesOf(config, given)
  const names = Object.keys(changes)
  return (
    <>
      <div className="fields part wide-fields">
        {editable.map(({ name, label, isText }) => {
          const value = given[name] ?? textOfMember(config, name)
          const change = (text: string) => setGiven((before) => ({ ...before, [name]: text }))
          return (
            <label key={name} htmlFor={`config-${name}`}>
              <span>{label}</span>
              {isText ? (
                <input
                  id={`config-${name}`}
                  value={value}
                  maxLength={2048}
                  onChange={(event) => change(event.target.value)}
                />
              ) : (
                <textarea
                  id={`config-${name}`}
                  value={value}
                  rows={6}
                  maxLength={200_000}
                  spellCheck={false}
                  className="json"
                  onChange={(event) => change(event.target.value)}
                />
              )}
            </label>
          )
        })}
      </div>
      {wrong.map((each) => (
        <p key={each} className="trouble" role="alert">
          {each}
        </p>
      ))}
      {names.length > 0 && (
        <div className="part" role="status">
          <h3>{t('What would change')}</h3>
          {names.map((name) => (
            <Difference key={name} name={name} config={config} changes={changes} />
          ))}
          <div className="acts">
            <Act
              isMain
              isDisabled={wrong.length > 0}
              asks={t('Save {names} in production', { names: names.join(', ') })}
              run={() => corridor.config.update(changes as never)}
              then={() => setGiven({})}
            >
              {t('Save')}
            </Act>
            <button type="button" onClick={() => setGiven({})}>
              {t('Undo')}
            </button>
          </div>
        </div>
      )}
    </>
  )
}

interface DifferenceProps {
  readonly name: string
  readonly config: Config
  readonly changes: Changes
}

function Difference({ name, config, changes }: DifferenceProps) {
  const difference = differenceOf(textOfMember(config, name), textOfMember(changes, name))
  return (
    <>
      <p>
        <code>{name}</code>
      </p>
      <pre>
        <del>{difference.old || t('none')}</del>
        {'\n'}
        <ins>{difference.new || t('none')}</ins>
      </pre>
    </>
  )
}
