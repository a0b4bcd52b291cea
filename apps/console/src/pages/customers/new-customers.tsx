import type { Corridor } from '@corridor/sdk/index.ts'
import { Fragment, useRef, useState } from 'react'
import { usePlaces } from '../../app/places.tsx'
import { useSession } from '../../app/session.tsx'
import { rich, t } from '../../language/t.ts'
import { Act } from '../../parts/act.tsx'
import { samplePeople } from './sample-people.ts'

/** The ways customers come to be here: one by one, from a file, and in the sandbox twenty at once. */
export function NewCustomers() {
  const { corridor, environment } = useSession()
  const [done, setDone] = useState(0)
  const [open, setOpen] = useState<'one' | 'file'>()
  const toggle = (which: 'one' | 'file') => setOpen((before) => (before === which ? undefined : which))
  return (
    <>
      <div className="acts part">
        <button type="button" className="main" aria-expanded={open === 'one'} onClick={() => toggle('one')}>
          {t('New customer')}
        </button>
        <button type="button" aria-expanded={open === 'file'} onClick={() => toggle('file')}>
          {t('Import CSV')}
        </button>
        {environment === 'sandbox' && (
          <Act run={() => createSamples(corridor, setDone)} then={() => setDone(0)}>
            {done > 0 ? t('20 sample people: {done} created', { done }) : t('20 sample people')}
          </Act>
        )}
      </div>
      {open === 'one' && <OneCustomer />}
      {open === 'file' && <ImportFile />}
    </>
  )
}

/** One after the other, so that the list shows them in this order. */
async function createSamples(corridor: Corridor, onMade: (count: number) => void): Promise<void> {
  for (const [index, { fullName, region }] of samplePeople.entries()) {
    await corridor.customers.create({ customerType: 'INDIVIDUAL', fullName, region } as never)
    onMade(index + 1)
  }
}

function OneCustomer() {
  const { corridor } = useSession()
  const { go } = usePlaces()
  const [isBusiness, setBusiness] = useState(false)
  const [name, setName] = useState('')
  const form = useRef<HTMLFormElement>(null)
  const create = async () => {
    const filled = new FormData(form.current!)
    const given = (name: string) => String(filled.get(name) ?? '').trim() || undefined
    const currencies = given('currencies')
      ?.toUpperCase()
      .split(/[\s,]+/)
    return await corridor.customers.create({
      customerType: isBusiness ? 'BUSINESS' : 'INDIVIDUAL',
      ...(isBusiness ? { businessInfo: { legalName: given('name') } } : { fullName: given('name') }),
      region: given('region')?.toUpperCase(),
      currencies,
      email: given('email'),
      phoneNumber: given('phoneNumber'),
      platformCustomerId: given('platformCustomerId'),
    } as never)
  }
  return (
    <form ref={form} className="fields part" aria-label={t('New customer')}>
      <label>
        <span>{t('Kind')}</span>
        <select
          value={isBusiness ? 'BUSINESS' : 'INDIVIDUAL'}
          onChange={(event) => setBusiness(event.target.value === 'BUSINESS')}
        >
          <option>INDIVIDUAL</option>
          <option>BUSINESS</option>
        </select>
      </label>
      <label>
        <span>{isBusiness ? t('Legal name') : t('Full name')}</span>
        <input
          name="name"
          required
          maxLength={255}
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
      </label>
      <label>
        <span>{t('Country, as US')}</span>
        <input name="region" maxLength={2} />
      </label>
      <label>
        <span>{t('Currencies, as USD EUR')}</span>
        <input name="currencies" maxLength={200} />
      </label>
      <label>
        <span>{t('E-mail of the customer')}</span>
        <input name="email" type="email" maxLength={255} />
      </label>
      <label>
        <span>{t('Phone, as +14155551234')}</span>
        <input name="phoneNumber" type="tel" maxLength={16} />
      </label>
      <label>
        <span>{t('Your own id')}</span>
        <input name="platformCustomerId" maxLength={255} />
      </label>
      <Act
        isMain
        isSubmit
        asks={t('Create the customer {name}', { name: name.trim() })}
        run={create}
        then={({ id }) => go(`customers/${encodeURIComponent(id)}`)}
      >
        {t('Create')}
      </Act>
    </form>
  )
}

const columns =
  'umaAddress,platformCustomerId,customerType,fullName,birthDate,addressLine1,city,state,postalCode,country,businessLegalName'

function ImportFile() {
  const { corridor } = useSession()
  const { go } = usePlaces()
  const [file, setFile] = useState('')
  const form = useRef<HTMLFormElement>(null)
  return (
    <>
      <form ref={form} className="fields" aria-label={t('Import CSV')}>
        <label>
          <span>{t('File of at most 20 MB and 10,000 rows')}</span>
          <input
            name="file"
            type="file"
            accept=".csv,text/csv"
            required
            onChange={({ target }) => setFile(target.files?.[0]?.name ?? '')}
          />
        </label>
        <Act
          isMain
          isSubmit
          asks={t('Import the customers of {file}', { file })}
          run={() => corridor.customers.bulk.uploadCsv(new FormData(form.current!))}
          then={({ jobId }) => go(`imports/${encodeURIComponent(jobId)}`)}
        >
          {t('Import')}
        </Act>
      </form>
      <p className="muted part">
        {rich('Its first row names the columns: {columns}', {
          columns: (
            <code key="columns" className="id">
              {columns.split(',').map((column, index) => (
                <Fragment key={column}>
                  {index > 0 && (
                    <>
                      ,<wbr />
                    </>
                  )}
                  {column}
                </Fragment>
              ))}
            </code>
          ),
        })}
      </p>
    </>
  )
}
