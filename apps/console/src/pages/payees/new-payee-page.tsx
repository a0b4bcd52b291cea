import { useRef, useState } from 'react'
import { Go, usePlaces, useView } from '../../app/places.tsx'
import { useSession } from '../../app/session.tsx'
import { type PayeeField, payeeOwners, payeeTypes } from '../../generated/payees.ts'
import { identifiers, outcomes } from '../../generated/sandbox.ts'
import { rich, t } from '../../language/t.ts'
import { Act } from '../../parts/act.tsx'
import { shortOf } from '../../parts/facts.tsx'
import { useOwnerName } from '../../parts/names.tsx'
import { PageHead } from '../../parts/page.tsx'
import { words } from '../../words.ts'
import { payeeRequest } from './payee-request.ts'

type OwnerKind = 'INDIVIDUAL' | 'BUSINESS'

/** Sorted, each once. */
const distinct = (texts: readonly string[]) => [...new Set(texts)].sort()
const currencies = distinct(Object.values(payeeTypes).flatMap((type) => type.currencies))

/** An account elsewhere, of a customer (`customerId` in the address) or of the platform: its fields are those that the API names. */
export function NewPayeePage() {
  const { corridor, environment } = useSession()
  const { go } = usePlaces()
  const [view] = useView()
  const customerId = view.get('customerId') ?? undefined
  const [currency, setCurrency] = useState('EUR')
  const [country, setCountry] = useState('')
  const [chosen, setChosen] = useState('')
  const [owner, setOwner] = useState<OwnerKind>('INDIVIDUAL')
  const inCurrency = Object.entries(payeeTypes).filter(([, type]) => type.currencies.includes(currency))
  const countries = distinct(inCurrency.flatMap(([, type]) => type.countries))
  const types = inCurrency.filter(
    ([, type]) => country === '' || type.countries.length === 0 || type.countries.includes(country),
  )
  const [accountType, type] = types.find(([name]) => name === chosen) ?? types[0] ?? inCurrency[0]!
  const ownerFields = payeeOwners[(owner === 'INDIVIDUAL' ? type.individual : type.business) ?? '']

  const form = useRef<HTMLFormElement>(null)
  const create = async () => {
    const given = [...new FormData(form.current!)].map(([name, value]) => [name, String(value)] as const)
    const body = payeeRequest({ currency, accountType, ...(ownerFields ? { owner } : {}) }, given)
    return customerId
      ? await corridor.customers.externalAccounts.create({ customerId, ...body } as never)
      : await corridor.platform.externalAccounts.create(body as never)
  }
  const holder = useOwnerName(customerId ?? 'PlatformConfig:')
  const back = customerId ? `customers/${encodeURIComponent(customerId)}` : 'accounts'
  return (
    <>
      <PageHead title={customerId ? t('New payee') : t('New external account')} />
      <p className="muted trail">
        {customerId ? <Go to={back}>{customerId}</Go> : <Go to={back}>{words.pages.accounts}</Go>}
      </p>
      <form ref={form} aria-label={t('New external account')}>
        <div className="fields part">
          <Choice
            name="currency"
            label={t('Currency')}
            of={currencies}
            value={currency}
            onChange={(value) => {
              setCurrency(value)
              setCountry('')
            }}
          />
          {countries.length > 1 && (
            <Choice
              name="countryOfAccount"
              label={t('Country of the account')}
              none={t('Any')}
              of={countries}
              value={country}
              onChange={setCountry}
            />
          )}
          <Choice
            name="accountType"
            label={t('Type')}
            of={types.map(([name]) => name)}
            value={accountType}
            onChange={setChosen}
          />
        </div>
        <h2>{t('The account')}</h2>
        {/* Of another type nothing stays but what both have. */}
        <Fields of={type.fields} under="accountInfo" />
        {environment === 'sandbox' && <Endings of={identifiers[accountType]} />}
        {ownerFields && (
          <>
            <h2>{t('Who holds it')}</h2>
            <div className="fields part">
              <Choice
                name="beneficiaryType"
                label={t('Kind')}
                of={['INDIVIDUAL', 'BUSINESS']}
                value={owner}
                onChange={(value) => setOwner(value as OwnerKind)}
              />
            </div>
            <Fields of={ownerFields} under="accountInfo.beneficiary" />
          </>
        )}
        <div className="acts part">
          <Act
            isMain
            isSubmit
            asks={t('Add this {accountType} in {currency}, payee of: {owner}', {
              accountType,
              currency,
              owner: holder ?? shortOf(customerId ?? ''),
            })}
            run={create}
            then={({ id }) => go(`external-accounts/${encodeURIComponent(id)}`)}
          >
            {t('Create')}
          </Act>
        </div>
      </form>
    </>
  )
}

interface ChoiceProps {
  readonly name: string
  readonly label: string
  /** What stands for none of them, where that may be. */
  readonly none?: string
  readonly of: readonly string[]
  readonly value: string
  readonly onChange: (value: string) => void
}

function Choice({ name, label, none, of, value, onChange }: ChoiceProps) {
  return (
    <label>
      <span>{label}</span>
      <select name={name} value={value} onChange={(event) => onChange(event.target.value)}>
        {none !== undefined && <option value="">{none}</option>}
        {of.map((each) => (
          <option key={each}>{each}</option>
        ))}
      </select>
    </label>
  )
}

/** Those that must be there first; the others below, so that the form stays short. */
function Fields({ of, under }: { readonly of: readonly PayeeField[]; readonly under: string }) {
  const required = of.filter(({ isRequired }) => isRequired)
  const optional = of.filter(({ isRequired }) => !isRequired)
  // Where nothing must be there one of several has to be.
  const isOneOf = required.length === 0
  return (
    <>
      <div className="fields part">
        {(isOneOf ? optional : required).map((field) => (
          <Field key={field.name} of={field} under={under} />
        ))}
      </div>
      {!isOneOf && optional.length > 0 && (
        <details className="part">
          <summary>{t('Optional fields')}</summary>
          <div className="fields part">
            {optional.map((field) => (
              <Field key={field.name} of={field} under={under} />
            ))}
          </div>
        </details>
      )}
    </>
  )
}

function Field({ of, under }: { readonly of: PayeeField; readonly under: string }) {
  const { name, isRequired = false, says, options, maxLength } = of
  const path = `${under}.${name}`
  return (
    <label htmlFor={path}>
      <span>
        <code>{name}</code>
      </span>
      {options ? (
        <select id={path} name={path} required={isRequired} defaultValue="" title={says}>
          <option value="">{isRequired ? t('Choose') : '—'}</option>
          {options.map((each) => (
            <option key={each}>{each}</option>
          ))}
        </select>
      ) : (
        <input
          id={path}
          name={path}
          required={isRequired}
          maxLength={maxLength}
          title={says}
          autoComplete="off"
        />
      )}
      {says && <small className="muted">{says.replaceAll('`', '')}</small>}
    </label>
  )
}

/** What the ending of the number decides, where payments are played. */
function Endings({ of }: { readonly of: string | undefined }) {
  if (of === undefined) return null
  return (
    <div className="part">
      <p className="muted">
        {rich('In the sandbox, the last three digits of {field} decide the outcome of a payment:', {
          field: <code>{of}</code>,
        })}
      </p>
      <ul className="plain" aria-label={t('Outcomes by the last three digits')}>
        {Object.entries(outcomes).map(([ending, outcome]) => (
          <li key={ending}>
            <code>…{ending}</code> {outcome}
          </li>
        ))}
      </ul>
    </div>
  )
}
