import type { Item } from '@corridor/sdk/index.ts'
import { useSession } from '../../app/session.tsx'
import { Act } from '../../parts/act.tsx'
import { Id, Moment } from '../../parts/facts.tsx'
import { Part } from '../../parts/page.tsx'
import { Rows } from '../../parts/rows.tsx'
import { Nothing } from '../../parts/states.tsx'
import { readable, Status } from '../../parts/status.tsx'
import { Detail, page } from './detail.tsx'

/** What belongs to stablecoins: mints and burns, and the accounts at their provider. */

type Operation = Item<'listStablecoinOperations'>
type ProviderAccount = Item<'listStablecoinProviderAccounts'>

export function OperationsOf({ stablecoin }: { readonly stablecoin: string }) {
  const { corridor } = useSession()
  return (
    <Part title="Mints and burns">
      <Rows<Operation>
        label="Mints and burns"
        list={['stablecoin-operations', stablecoin]}
        read={(cursor) => corridor.stablecoins.operations.list(stablecoin, page(cursor))}
        columns={[
          { title: 'Operation', cell: ({ operationType }) => readable(operationType) },
          { title: 'Amount', isAmount: true, cell: ({ amount }) => amount },
          { title: 'State', cell: ({ status }) => <Status status={status} /> },
          { title: 'Created', isWide: true, cell: ({ createdAt }) => <Moment at={createdAt} /> },
        ]}
        keyOf={({ id }) => id}
        to={({ id }) => `stablecoin-operations/${encodeURIComponent(id)}`}
        empty={
          <Nothing title="Nothing was minted or burned yet." cli="corridor stablecoins mint STABLECOIN" />
        }
      />
    </Part>
  )
}

export function ProviderAccounts() {
  const { corridor } = useSession()
  return (
    <Part title="Accounts at the provider">
      <Rows<ProviderAccount>
        label="Accounts at the provider"
        list={['stablecoin-provider-accounts']}
        read={(cursor) => corridor.stablecoinProviderAccounts.list(page(cursor))}
        columns={[
          { title: 'Account', cell: ({ providerAccountId }) => providerAccountId },
          { title: 'Provider', isWide: true, cell: ({ provider }) => provider },
          { title: 'State', cell: ({ status }) => <Status status={status} /> },
          {
            title: 'Last verified',
            isWide: true,
            cell: ({ lastVerifiedAt }) => <Moment at={lastVerifiedAt} />,
          },
        ]}
        keyOf={({ id }) => id}
        to={({ id }) => `stablecoin-provider-accounts/${encodeURIComponent(id)}`}
        empty={
          <Nothing
            title="No account of a provider is linked."
            cli="corridor stablecoin-provider-accounts create"
          />
        }
      />
    </Part>
  )
}

export function StablecoinOperationPage() {
  const { corridor, environment } = useSession()
  return (
    <Detail<Operation>
      kind="operation"
      path="stablecoin-operations"
      sdk="stablecoinOperations"
      read={(id) => corridor.stablecoinOperations.get(id)}
      titleOf={({ operationType, amount }) => `${readable(operationType)} of ${amount}`}
      statusOf={({ status }) => status}
      machine="stablecoin operation"
      facts={({ stablecoinId, failureReason, expiresAt }) => [
        ['Stablecoin', <Id key="c" id={stablecoinId} />],
        ['Why it failed', failureReason],
        ['Expires', expiresAt && <Moment key="e" at={expiresAt} />],
      ]}
      acts={({ id, status }) =>
        environment === 'sandbox' &&
        status === 'PENDING_FUNDING' && (
          <Act isMain run={() => corridor.sandbox.stablecoinOperations.simulate.funding(id)}>
            Let the funds arrive
          </Act>
        )
      }
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
    />
  )
}
