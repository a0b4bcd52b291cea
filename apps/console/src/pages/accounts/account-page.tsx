import type { Answer } from '@corridor/sdk/index.ts'
import { useQuery } from '@tanstack/react-query'
import { usePageId } from '../../app/page-id.ts'
import { Go } from '../../app/places.tsx'
import { useSession } from '../../app/session.tsx'
import { t } from '../../language/t.ts'
import { CopyAs } from '../../parts/copy.tsx'
import { ExplainButton } from '../../parts/explanation/anchor.tsx'
import { ExplanationBlocks } from '../../parts/explanation/explanation.tsx'
import { useExplanation } from '../../parts/explanation/use-explanation.ts'
import { Facts, Id, Moment, Money, textOf } from '../../parts/facts.tsx'
import { Owner } from '../../parts/names.tsx'
import { PageHead, Part } from '../../parts/page.tsx'
import { Rows } from '../../parts/rows.tsx'
import { StatePicture } from '../../parts/state-picture/state-picture.tsx'
import { Loading, Nothing } from '../../parts/states.tsx'
import { Status } from '../../parts/status.tsx'
import { Unknown } from '../../parts/unknown.tsx'
import { words } from '../../words.ts'
import { AccountActs } from '../operator/acts.tsx'
import { listPayments, type Payment, paymentColumns } from '../payments/payments-page.tsx'
import { WalletParts } from '../wallets/wallet-parts.tsx'
import { Coordinates } from './coordinates.tsx'
import { Fund } from './fund.tsx'

export function AccountPage() {
  const id = usePageId()
  const { corridor, environment } = useSession()
  const account = useQuery({ queryKey: ['account', id], queryFn: () => corridor.internalAccounts.get(id) })
  const explanation = useExplanation(id, { isWanted: account.data !== undefined })
  if (account.isPending) return <Loading />
  if (!account.data) return <Unknown id={id} error={account.error} onRetry={() => void account.refetch()} />
  const { data } = account
  const { customerId } = data
  const held = { ...data.balance, amount: data.totalBalance.amount - data.balance.amount }
  const payFrom = new URLSearchParams({ from: id, ...(customerId ? { customerId } : {}) })
  return (
    <>
      <PageHead title={t('Account · {balance}', { balance: textOf(data.balance) })}>
        {environment === 'sandbox' && (
          <Go to={`sandbox/money?for=${encodeURIComponent(id)}`}>{words.pages.moneyIn}</Go>
        )}
        <Go className="main" to={`quotes/new?${payFrom}`}>
          {t('Pay from it')}
        </Go>
        <ExplainButton />
        <CopyAs
          path={`/internal-accounts/${id}`}
          sdk={`const account = await corridor.internalAccounts.get('${id}')`}
          cli={`corridor internal-accounts get ${id}`}
          body={data}
          ticket={() => corridor.text({ method: 'GET', path: `/explain/${id}` }, 'text/markdown')}
        />
      </PageHead>
      <Part title={t('Facts')}>
        <Facts
          of={[
            [t('Id'), <Id key="i" id={data.id} />],
            [t('Owner'), data.customerId ? <Owner key="c" id={data.customerId} /> : t('The platform')],
            [t('Type'), data.type],
            [t('Status'), <Status key="s" status={data.status} />],
            [t('Available'), <Money key="b" of={data.balance} />],
            [t('Total, with what is held'), <Money key="t" of={data.totalBalance} />],
            [t('Held'), held.amount > 0 && <Money key="h" of={held} />],
            [
              t('Owed by its owner'),
              data.receivable && (
                <Go key="o" className="money" to={`receivables?${owedBy(data)}`}>
                  {textOf(data.receivable)}
                </Go>
              ),
            ],
            [t('Created'), <Moment key="m" at={data.createdAt} />],
          ]}
        />
      </Part>
      <ExplanationBlocks of={explanation} currencies={[data.balance.currency]} />
      <Part title={t('How money gets in')}>
        {data.fundingPaymentInstructions.length === 0 ? (
          <Nothing title={t('There are no funding instructions for this account.')} />
        ) : (
          <Coordinates of={data.fundingPaymentInstructions} />
        )}
        {environment === 'sandbox' && <Fund account={id} balance={data.balance} />}
      </Part>
      <AccountActs id={data.id} status={data.status} balance={textOf(data.totalBalance)} />
      <StatePicture of="internal account" now={data.status} />
      {data.type === 'EMBEDDED_WALLET' && <WalletParts account={id} />}
      <Part title={words.pages.payments}>
        <Rows<Payment>
          label={t('Payments of the account')}
          list={['payments-at', id]}
          read={(cursor) => listPayments(corridor, { accountIdentifier: id }, 100, cursor)}
          columns={paymentColumns}
          keyOf={(payment) => payment.id}
          to={(payment) => `payments/${encodeURIComponent(payment.id)}`}
          empty={<Nothing title={t('No payments yet.')} cli="corridor pay" />}
        />
      </Part>
    </>
  )
}

/** The list of receivables that add up to what the account's owner owes in its currency. */
const owedBy = ({ customerId, balance }: Answer<'getInternalAccount'>) =>
  new URLSearchParams({
    status: 'OPEN',
    currency: balance.currency.code,
    ...(customerId ? { customerId } : {}),
  })
