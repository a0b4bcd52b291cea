import type { Answer } from '@corridor/sdk/index.ts'
import { formatMoney } from '@corridor/sdk/money.ts'
import { useQuery } from '@tanstack/react-query'
import { usePageId } from '../../app/page-id.ts'
import { Go, usePlaces } from '../../app/places.tsx'
import { useSession } from '../../app/session.tsx'
import { t } from '../../language/t.ts'
import { Act } from '../../parts/act.tsx'
import { CopyAs } from '../../parts/copy.tsx'
import { ExplainButton } from '../../parts/explanation/anchor.tsx'
import { ExplanationBlocks, Waiting } from '../../parts/explanation/explanation.tsx'
import { useExplanation } from '../../parts/explanation/use-explanation.ts'
import { Facts, Id, Moment, Money, rateText, textOf } from '../../parts/facts.tsx'
import { Party, usePartyName } from '../../parts/names.tsx'
import { PageHead, Part } from '../../parts/page.tsx'
import { Loading } from '../../parts/states.tsx'
import { Status } from '../../parts/status.tsx'
import { Unknown } from '../../parts/unknown.tsx'
import { words } from '../../words.ts'
import { Authorization } from './authorization.tsx'
import { UntilExpiry } from './until-expiry.tsx'

type Quote = Answer<'getQuoteById'>

export function QuotePage() {
  const id = usePageId()
  const { corridor, environment } = useSession()
  const { go } = usePlaces()
  const quote = useQuery({
    queryKey: ['quote', id],
    queryFn: () => corridor.quotes.get(id),
    refetchInterval: 3_000,
  })
  const explanation = useExplanation(id, { isWanted: quote.data !== undefined, everyMs: 3_000 })
  const payee = usePartyName(quote.data?.destination)
  if (quote.isPending) return <Loading />
  if (!quote.data) return <Unknown id={id} error={quote.error} onRetry={() => void quote.refetch()} />
  const { data } = quote
  const sent = { amount: data.totalSendingAmount, currency: data.sendingCurrency }
  const received = { amount: data.totalReceivingAmount, currency: data.receivingCurrency }
  const fees = { amount: data.feesIncluded, currency: data.sendingCurrency }
  const payment = `payments/${encodeURIComponent(data.transactionId)}`
  return (
    <>
      <PageHead
        title={t('Quote · {sent} → {received}', { sent: textOf(sent), received: textOf(received) })}
        brief={t('Quote · {currencies} {digits}', {
          currencies: `${sent.currency.code}→${received.currency.code}`,
          digits: textOf(sent).slice(0, -sent.currency.code.length).trim(),
        })}
      >
        {data.status === 'PENDING' && (
          <>
            <Act
              isMain
              asks={t('Pay {amount} to {payee} for real', { amount: textOf(sent), payee })}
              run={() => corridor.quotes.execute(id)}
              // What has to be authorized is authorized here.
              then={({ status }) => status !== 'PENDING_AUTHORIZATION' && go(payment)}
            >
              {t('Pay {amount} and follow', { amount: textOf(sent) })}
            </Act>
            <Act
              asks={t('Pay {amount} to {payee} and stay here', { amount: textOf(sent), payee })}
              run={() => corridor.quotes.execute(id)}
            >
              {t('Pay and stay here')}
            </Act>
          </>
        )}
        {(data.status === 'EXPIRED' || data.status === 'FAILED') && (
          <Go className="main" to={anew(data)}>
            {t('Get another quote')}
          </Go>
        )}
        {environment === 'sandbox' && data.source.sourceType === 'REALTIME_FUNDING' && (
          <Go to={`sandbox/money?by=quote&for=${encodeURIComponent(id)}`}>{words.pages.moneyIn}</Go>
        )}
        <ExplainButton />
        <CopyAs
          path={`/quotes/${id}`}
          sdk={`const quote = await corridor.quotes.get('${id}')`}
          cli={`corridor quotes get ${id}`}
          body={data}
          ticket={() => corridor.text({ method: 'GET', path: `/explain/${id}` }, 'text/markdown')}
        />
      </PageHead>
      {explanation.data && (
        <div className="story">
          <Waiting of={explanation.data} />
        </div>
      )}
      {data.status === 'PENDING_AUTHORIZATION' && <Authorization quote={data} />}
      <Part title={t('What is agreed')}>
        {data.status === 'PENDING' && <UntilExpiry createdAt={data.createdAt} expiresAt={data.expiresAt} />}
        <Facts
          of={[
            [t('Status'), <Status key="s" status={data.status} />],
            [t('From'), <Party key="from" of={data.source} />],
            [t('To'), <Party key="to" of={data.destination} />],
            [t('Sent, fees included'), <Money key="a" of={sent} />],
            [t('Fees'), <Money key="f" of={fees} />],
            [t('Rate, before fees'), rateText(data.exchangeRate, sent.currency.code, received.currency.code)],
            [t('Received'), <Money key="r" of={received} />],
            [
              data.status === 'PENDING' ? t('Holds until') : t('Held until'),
              <Moment key="e" at={data.expiresAt} />,
            ],
            [t('Payment'), <Id key="t" id={data.transactionId} />],
          ]}
        />
      </Part>
      <ExplanationBlocks of={explanation} currencies={[data.sendingCurrency, data.receivingCurrency]} />
    </>
  )
}

/** The form with what this quote was asked for: the accounts, and what was to be sent. */
function anew({ source, destination, totalSendingAmount, sendingCurrency }: Quote): string {
  const { accountId: from, customerId } = source as { accountId?: string; customerId?: string }
  const { accountId: to } = destination as { accountId?: string }
  // As the form takes it, however the reader has amounts written.
  const amount = formatMoney({ amount: totalSendingAmount, currency: sendingCurrency }).split(' ')[0]!
  const given = { customerId, from, to, amount }
  const query = new URLSearchParams(
    Object.entries(given).filter((entry): entry is [string, string] => entry[1] !== undefined),
  )
  return `quotes/new?${query}`
}
