import type { Item } from '@corridor/sdk/index.ts'
import { usePlaces } from '../../app/places.tsx'
import { useSession } from '../../app/session.tsx'
import { t } from '../../language/t.ts'
import { Act } from '../../parts/act.tsx'
import { Id, Moment } from '../../parts/facts.tsx'
import { PageHead, Part } from '../../parts/page.tsx'
import { Rows } from '../../parts/rows.tsx'
import { StatePicture } from '../../parts/state-picture/state-picture.tsx'
import { Nothing } from '../../parts/states.tsx'
import { Status } from '../../parts/status.tsx'
import { words } from '../../words.ts'
import { Detail, page } from './detail.tsx'
import { makeStablecoin } from './samples.ts'
import { Burn, Mint } from './stablecoin-acts.tsx'
import { LinkProvider, RegisterCoin } from './stablecoin-forms.tsx'
import { OperationsOf } from './stablecoin-operations.tsx'

/** Stablecoins and the accounts at the provider that issues them. */

export type Stablecoin = Item<'listStablecoins'>
type ProviderAccount = Item<'listStablecoinProviderAccounts'>

export function StablecoinsPage() {
  const { corridor, environment } = useSession()
  const { go } = usePlaces()
  return (
    <>
      <PageHead title={words.pages.stablecoins} />
      <Rows<Stablecoin>
        label={t('Stablecoins')}
        list={['stablecoins']}
        read={(cursor) => corridor.stablecoins.list(page(cursor))}
        columns={[
          { title: t('Name'), cell: ({ name, symbol }) => `${name} (${symbol})` },
          { title: t('Network'), isWide: true, cell: ({ network }) => network },
          { title: t('Issuance'), cell: ({ issuanceStatus }) => <Status status={issuanceStatus} /> },
          {
            title: t('Operations'),
            isWide: true,
            cell: ({ gridOperationsStatus: status }) => <Status status={status} />,
          },
        ]}
        keyOf={({ id }) => id}
        to={({ id }) => `stablecoins/${encodeURIComponent(id)}`}
        empty={
          <Nothing title={t('No stablecoins are registered.')} cli="corridor stablecoins create">
            {environment === 'sandbox' && (
              <Act
                run={() => makeStablecoin(corridor)}
                then={(id) => go(`stablecoins/${encodeURIComponent(id)}`)}
              >
                {t('Register a sample')}
              </Act>
            )}
          </Nothing>
        }
      />
      <Part title={t('Register a stablecoin')}>
        <RegisterCoin />
      </Part>
      <Part title={t('Accounts at the provider')}>
        <ProviderAccounts />
        <LinkProvider />
      </Part>
    </>
  )
}

function ProviderAccounts() {
  const { corridor } = useSession()
  return (
    <Rows<ProviderAccount>
      label={t('Accounts at the provider')}
      list={['stablecoin-provider-accounts']}
      read={(cursor) => corridor.stablecoinProviderAccounts.list(page(cursor))}
      columns={[
        { title: t('Account'), cell: ({ providerAccountId }) => providerAccountId },
        { title: t('Provider'), isWide: true, cell: ({ provider }) => provider },
        {
          title: t('Last verified'),
          isWide: true,
          width: 'moment',
          cell: ({ lastVerifiedAt }) => <Moment at={lastVerifiedAt} short />,
        },
        { title: t('Status'), cell: ({ status }) => <Status status={status} /> },
      ]}
      keyOf={({ id }) => id}
      to={({ id }) => `stablecoin-provider-accounts/${encodeURIComponent(id)}`}
      empty={
        <Nothing
          title={t('No provider account is linked.')}
          cli="corridor stablecoin-provider-accounts create"
        />
      }
    />
  )
}

export function StablecoinPage() {
  const { corridor } = useSession()
  return (
    <Detail<Stablecoin>
      kind="stablecoin"
      read={(id) => corridor.stablecoins.get(id)}
      path="stablecoins"
      titleOf={({ name, symbol }) => `${name} (${symbol})`}
      statusOf={({ issuanceStatus }) => issuanceStatus}
      machine="stablecoin issuance"
      facts={(coin) => [
        [t('Operations'), <Status key="o" status={coin.gridOperationsStatus} />],
        [t('Worth'), t('one {currency}', { currency: coin.baseCurrency })],
        [t('Decimals'), String(coin.decimals)],
        [t('Network'), coin.network],
        [
          t('On the network'),
          <span key="n" className="id">
            {coin.networkTokenIdentifier}
          </span>,
        ],
        [t('At the provider'), `${coin.provider} ${coin.providerTokenIdentifier}`],
        [t('Account at the provider'), <Id key="p" id={coin.stablecoinProviderAccountId} />],
      ]}
      acts={({ id, symbol, gridOperationsStatus }) =>
        gridOperationsStatus === 'NOT_ENABLED' && (
          <Act
            asks={t('Request that {symbol} becomes a currency here', { symbol })}
            run={() => corridor.stablecoins.requestGridEnablement(id)}
          >
            {t('Request that it becomes a currency here')}
          </Act>
        )
      }
      parts={(coin) => (
        <>
          <OperationsOf coin={coin} />
          {coin.issuanceStatus === 'PROVISIONED' && (
            <>
              <Mint coin={coin} />
              <Burn coin={coin} />
            </>
          )}
          <StatePicture
            of="stablecoin enablement"
            now={coin.gridOperationsStatus}
            title={t('States of its operations')}
          />
        </>
      )}
    />
  )
}

export function ProviderAccountPage() {
  const { corridor } = useSession()
  return (
    <Detail<ProviderAccount>
      kind="providerAccount"
      path="stablecoin-provider-accounts"
      sdk="stablecoinProviderAccounts"
      read={(id) => corridor.stablecoinProviderAccounts.get(id)}
      titleOf={({ provider, providerAccountId }) => `${provider} ${providerAccountId}`}
      statusOf={({ status }) => status}
      machine="stablecoin provider account"
      facts={({ lastVerifiedAt }) => [
        [t('Last verified'), lastVerifiedAt && <Moment key="v" at={lastVerifiedAt} />],
      ]}
    />
  )
}
