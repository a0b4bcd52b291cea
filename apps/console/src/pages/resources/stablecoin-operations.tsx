import type { Item } from '@corridor/sdk/index.ts'
import { useQuery } from '@tanstack/react-query'
import { useSession } from '../../app/session.tsx'
import { t } from '../../language/t.ts'
import { Act } from '../../parts/act.tsx'
import { Facts, Id, Moment, textOf } from '../../parts/facts.tsx'
import { Part } from '../../parts/page.tsx'
import { Rows } from '../../parts/rows.tsx'
import { Nothing } from '../../parts/states.tsx'
import { Status } from '../../parts/status.tsx'
import { rowsOf } from '../accounts/coordinate-names.ts'
import { movements, operations, wordOf } from './codes.ts'
import { Detail, page } from './detail.tsx'
import type { Stablecoin } from './stablecoin-pages.tsx'

type Operation = Item<'listStablecoinOperations'>
type Coin = Pick<Stablecoin, 'id' | 'symbol' | 'decimals'>

/** Units of a coin, which the API gives as digits, as an amount of it. */
function amountIn({ symbol, decimals }: Coin, digits: string): string {
  return textOf({ amount: BigInt(digits), currency: { code: symbol, decimals } })
}

/** What was minted and burned of a coin. */
export function OperationsOf({ coin }: { readonly coin: Coin }) {
  const { corridor } = useSession()
  return (
    <Part title={t('Mints and burns')}>
      <Rows<Operation>
        label={t('Mints and burns')}
        list={['stablecoin-operations', coin.id]}
        read={(cursor) => corridor.stablecoins.operations.list(coin.id, page(cursor))}
        columns={[
          { title: t('Operation'), cell: ({ operationType }) => wordOf(operations, operationType) },
          { title: t('Amount'), isAmount: true, cell: ({ amount }) => amountIn(coin, amount) },
          {
            title: t('Created'),
            isWide: true,
            width: 'moment',
            cell: ({ createdAt }) => <Moment at={createdAt} short />,
          },
          { title: t('Status'), cell: ({ status }) => <Status status={status} /> },
        ]}
        keyOf={({ id }) => id}
        to={({ id }) => `stablecoin-operations/${encodeURIComponent(id)}`}
        empty={<Nothing title={t('No mints or burns yet.')} cli="corridor stablecoins mint STABLECOIN" />}
      />
    </Part>
  )
}

/** A mint or a burn: where it stands, and what funds it. */
export function StablecoinOperationPage() {
  const { corridor, environment } = useSession()
  return (
    <Detail<Operation>
      kind="operation"
      path="stablecoin-operations"
      sdk="stablecoinOperations"
      read={(id) => corridor.stablecoinOperations.get(id)}
      titleOf={({ id, operationType }) => `${wordOf(operations, operationType)} …${id.slice(-6)}`}
      statusOf={({ status }) => status}
      machine="stablecoin operation"
      facts={({ amount, stablecoinId, source, destination, failureReason, description, expiresAt }) => [
        [t('Amount'), <CoinAmount key="a" of={amount} coin={stablecoinId} />],
        [t('Stablecoin'), <Id key="c" id={stablecoinId} />],
        [t('Paid from'), source && wordOf(movements, source.type)],
        [t('Goes to'), destination?.accountId && <Id key="d" id={destination.accountId} />],
        [t('Description'), description],
        [t('Why it failed'), failureReason],
        [t('Expires'), expiresAt && <Moment key="e" at={expiresAt} />],
      ]}
      acts={({ id, status }) =>
        environment === 'sandbox' &&
        status === 'PENDING_FUNDING' && (
          <Act isMain run={() => corridor.sandbox.stablecoinOperations.simulate.funding(id)}>
            {t('Let the funds arrive')}
          </Act>
        )
      }
      parts={({ status, fundingInstructions }) =>
        status === 'PENDING_FUNDING' &&
        fundingInstructions && (
          <Part title={t('Where to send the funds')}>
            <Facts
              of={rowsOf(fundingInstructions).map(([name, value]) => [
                name,
                <span key="v" className="id">
                  {value}
                </span>,
              ])}
            />
          </Part>
        )
      }
    />
  )
}

/** Exactly, by the decimals of its coin. */
function CoinAmount({ of, coin: id }: { readonly of: string; readonly coin: string }) {
  const { corridor } = useSession()
  const coin = useQuery({ queryKey: ['stablecoin', id], queryFn: () => corridor.stablecoins.get(id) })
  return <span className="money">{coin.data ? amountIn(coin.data, of) : t('{n} units', { n: of })}</span>
}
