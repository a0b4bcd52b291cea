import { useState } from 'react'
import { usePlaces } from '../../app/places.tsx'
import { useSession } from '../../app/session.tsx'
import { t } from '../../language/t.ts'
import { Act } from '../../parts/act.tsx'

/** Of a coin that exists at the provider. */
export function RegisterCoin() {
  const { corridor } = useSession()
  const { go } = usePlaces()
  const [token, setToken] = useState('')
  const [network, setNetwork] = useState('')
  const [account, setAccount] = useState('')
  return (
    <div className="fields">
      <label>
        <span>{t('Its identifier at the provider')}</span>
        <input
          name="providerTokenIdentifier"
          value={token}
          maxLength={255}
          onChange={({ target }) => setToken(target.value)}
        />
      </label>
      <label>
        <span>{t('Its identifier on Spark, btkn1…')}</span>
        <input
          name="networkTokenIdentifier"
          value={network}
          maxLength={255}
          onChange={({ target }) => setNetwork(target.value)}
        />
      </label>
      <label>
        <span>{t('Account at the provider (id), if there are several')}</span>
        <input
          name="stablecoinProviderAccountId"
          value={account}
          maxLength={100}
          onChange={({ target }) => setAccount(target.value)}
        />
      </label>
      <Act
        asks={t('Register the coin {token}', { token: token.trim() })}
        isDisabled={token.trim() === '' || network.trim() === ''}
        run={() =>
          corridor.stablecoins.create({
            providerTokenIdentifier: token.trim(),
            networkTokenIdentifier: network.trim(),
            network: 'SPARK',
            ...(account.trim() === '' ? {} : { stablecoinProviderAccountId: account.trim() }),
          } as never)
        }
        then={({ id }) => go(`stablecoins/${encodeURIComponent(id)}`)}
      >
        {t('Register it')}
      </Act>
    </div>
  )
}

/** The secret goes to the API once, and is shown by nothing afterwards. */
export function LinkProvider() {
  const { corridor } = useSession()
  const [id, setId] = useState('')
  const [secret, setSecret] = useState('')
  return (
    <div className="fields under">
      <label>
        <span>{t('Client id at Brale')}</span>
        <input name="apiClientId" value={id} maxLength={255} onChange={({ target }) => setId(target.value)} />
      </label>
      <label>
        <span>{t('Its secret')}</span>
        <input
          name="apiClientSecret"
          type="password"
          autoComplete="off"
          value={secret}
          maxLength={1_024}
          onChange={({ target }) => setSecret(target.value)}
        />
      </label>
      <Act
        asks={t('Link the account {id} at Brale', { id: id.trim() })}
        isDisabled={id.trim() === '' || secret === ''}
        run={async () => {
          await corridor.stablecoinProviderAccounts.create({
            provider: 'BRALE',
            apiClientId: id.trim(),
            apiClientSecret: secret,
          } as never)
          // Not only when the lists have been read anew, which may take long.
          setId('')
          setSecret('')
        }}
      >
        {t('Link the account')}
      </Act>
    </div>
  )
}
