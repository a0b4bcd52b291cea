import { useQuery } from '@tanstack/react-query'
import { usePageId } from '../../app/page-id.ts'
import { useSession } from '../../app/session.tsx'
import { CopyAs } from '../../parts/copy.tsx'
import { ExplanationBlocks } from '../../parts/explanation/explanation.tsx'
import { useExplanation } from '../../parts/explanation/use-explanation.ts'
import { Facts, Id, Moment, Money, textOf } from '../../parts/facts.tsx'
import { PageHead, Part } from '../../parts/page.tsx'
import { Rows } from '../../parts/rows.tsx'
import { StatePicture } from '../../parts/state-picture/state-picture.tsx'
import { Loading, Nothing, Trouble } from '../../parts/states.tsx'
import { Status } from '../../parts/status.tsx'
import { listPayments, type Payment, paymentColumns } from '../payments/payments-page.tsx'
import { WalletParts } from '../wallets/wallet-parts.tsx'

export function AccountPage() {
  const id = usePageId()
  const { corridor } = useSession()
  const account = useQuery({ queryKey: ['account', id], queryFn: () => corridor.internalAccounts.get(id) })
  const explanation = useExplanation(id, { isWanted: account.data !== undefined })
  if (account.isPending) return <Loading />
  if (!account.data)
    return <Trouble error={account.error} missing={id} onRetry={() => void account.refetch()} />
  const { data } = account
  return (
    <>
      <PageHead title={`Account · ${textOf(data.balance)}`}>
        <CopyAs
          path={`/internal-accounts/${id}`}
          sdk={`const account = await corridor.internalAccounts.get('${id}')`}
          cli={`corridor internal-accounts get ${id}`}
          body={data}
        />
      </PageHead>
      <Part title="Facts">
        <Facts
          of={[
            ['Id', <Id key="i" id={data.id} />],
            ['Owner', data.customerId ? <Id key="c" id={data.customerId} /> : 'The platform'],
            ['Type', data.type],
            ['Status', <Status key="s" status={data.status} />],
            ['Available', <Money key="b" of={data.balance} />],
            ['Total, with what is held', <Money key="t" of={data.totalBalance} />],
            ['Created', <Moment key="m" at={data.createdAt} />],
          ]}
        />
      </Part>
      <ExplanationBlocks of={explanation} currencies={[data.balance.currency]} />
      <Part title="How money gets in">
        {data.fundingPaymentInstructions.length === 0 ? (
          <Nothing title="There are no funding instructions for this account." />
        ) : (
          <pre>{JSON.stringify(data.fundingPaymentInstructions, undefined, 2)}</pre>
        )}
      </Part>
      <StatePicture of="internal account" now={data.status} />
      {data.type === 'EMBEDDED_WALLET' && <WalletParts account={id} />}
      <Part title="Payments">
        <Rows<Payment>
          label="Payments of the account"
          list={['payments-at', id]}
          read={(cursor) => listPayments(corridor, { accountIdentifier: id }, 100, cursor)}
          columns={paymentColumns}
          keyOf={(payment) => payment.id}
          to={(payment) => `payments/${encodeURIComponent(payment.id)}`}
          empty={<Nothing title="No payments yet." cli="corridor pay" />}
        />
      </Part>
    </>
  )
}
