import { useState } from 'react'
import { usePlaces } from '../../app/places.tsx'
import { useSession } from '../../app/session.tsx'
import { t } from '../../language/t.ts'
import { Act } from '../../parts/act.tsx'
import { noAddress, UmaAddressField } from './uma-address-field.tsx'

/** Invitations have no list, as their code is a secret: one is made here, or opened by its code. */
export function Invitations() {
  const { corridor } = useSession()
  const { go } = usePlaces()
  const [code, setCode] = useState('')
  const [inviterUma, setInviter] = useState('')
  const [firstName, setFirstName] = useState('')
  const open = (of: string) => go(`invitations/${encodeURIComponent(of)}`)
  return (
    <>
      <div className="fields">
        <UmaAddressField label={t('Customer who invites')} value={inviterUma} onChange={setInviter} />
        <label>
          <span>{t('First name of the invited person')}</span>
          <input
            name="firstName"
            value={firstName}
            maxLength={255}
            onChange={({ target }) => setFirstName(target.value)}
          />
        </label>
        <Act
          asks={t('Invite {name} by {address}', {
            name: firstName.trim() || t('somebody'),
            address: inviterUma,
          })}
          isDisabled={inviterUma === '' || inviterUma === noAddress}
          run={() =>
            corridor.invitations.create({
              inviterUma,
              ...(firstName.trim() === '' ? {} : { firstName: firstName.trim() }),
            } as never)
          }
          then={(made) => open(made.code)}
        >
          {t('Invite')}
        </Act>
      </div>
      <form
        className="fields"
        onSubmit={(event) => {
          event.preventDefault()
          open(code.trim())
        }}
      >
        <label>
          <span>{t('Invitation code')}</span>
          <input required value={code} maxLength={40} onChange={({ target }) => setCode(target.value)} />
        </label>
        <button type="submit">{t('Open it')}</button>
      </form>
    </>
  )
}
