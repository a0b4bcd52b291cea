import { useQuery } from '@tanstack/react-query'
import { useNarrow } from '../../app/narrow.ts'
import { usePageId } from '../../app/page-id.ts'
import { Go } from '../../app/places.tsx'
import { useSession } from '../../app/session.tsx'
import { t } from '../../language/t.ts'
import { Act } from '../../parts/act.tsx'
import { CopyAs } from '../../parts/copy.tsx'
import { Facts, Id, Moment, textOf } from '../../parts/facts.tsx'
import { nameOf } from '../../parts/names.tsx'
import { PageHead, Part } from '../../parts/page.tsx'
import { endOf, type Payee } from '../../parts/payee.tsx'
import { Rows } from '../../parts/rows.tsx'
import { Loading, Nothing } from '../../parts/states.tsx'
import { Status } from '../../parts/status.tsx'
import { Unknown } from '../../parts/unknown.tsx'
import { words } from '../../words.ts'
import { type Account, accountColumns, accountColumnsBesideAct } from '../accounts/accounts-page.tsx'
import { OwnersOf } from '../identity/identity-pages.tsx'
import { outcomeColumns } from '../payees/external-account-page.tsx'
import { listPayments, type Payment, paymentColumnsOfOne } from '../payments/payments-page.tsx'
import { ReceivablesOf } from '../receivables/receivables-page.tsx'
import { identityOf } from './customers-page.tsx'
import { HostedLink } from './hosted-link.tsx'
import { Lately } from './lately.tsx'
import { Readiness } from './readiness.tsx'

/** In minor units: a thousand of a currency, less of one that has so many decimals that each is worth much. */
const addedOf = (decimals: number) => 1_000 * 10 ** Math.min(decimals, 6)

export function CustomerPage() {
  const id = usePageId()
  const { corridor, environment } = useSession()
  const isNarrow = useNarrow()
  const customer = useQuery({ queryKey: ['customer', id], queryFn: () => corridor.customers.get(id) })
  if (customer.isPending) return <Loading />
  if (!customer.data)
    return <Unknown id={id} error={customer.error} onRetry={() => void customer.refetch()} />
  const { data } = customer
  return (
    <>
      <PageHead title={nameOf(data)}>
        <Go className="main" to={`quotes/new?customerId=${encodeURIComponent(id)}`}>
          {t('Pay')}
        </Go>
        <HostedLink customerId={id} name={nameOf(data)} />
        <CopyAs
          path={`/customers/${id}`}
          sdk={`const customer = await corridor.customers.get('${id}')`}
          cli={`corridor customers get ${id}`}
          body={data}
        />
      </PageHead>
      <Part title={t('Facts')}>
        <Facts
          of={[
            [t('Id'), <Id key="i" id={data.id} />],
            [t('Your own id'), data.platformCustomerId],
            [t('Type'), data.customerType],
            [t('Identity'), <Status key="k" status={identityOf(data)} />],
            [t('Region'), data.region],
            [t('E-mail'), data.email],
            [t('Phone'), data.phoneNumber],
            [
              t('UMA address'),
              <span key="u" className="id">
                {data.umaAddress}
              </span>,
            ],
            [t('Created'), <Moment key="c" at={data.createdAt} />],
            [t('Deleted'), data.isDeleted ? t('yes') : undefined],
          ]}
        />
      </Part>
      <Lately customer={id} />
      <Readiness customer={data} />
      <Part title={t('Balances')}>
        <Rows<Account>
          label={t('Balances')}
          list={['balances', id]}
          read={() => corridor.internalAccounts.list({ customerId: id } as never)}
          columns={[
            ...(isNarrow && environment === 'sandbox' ? accountColumnsBesideAct : accountColumns),
            ...(environment === 'sandbox'
              ? [
                  {
                    title: words.pages.sandbox,
                    cell: ({ id: account, balance: { currency } }: Account) => {
                      const added = { amount: addedOf(currency.decimals), currency }
                      return (
                        <Act
                          run={() =>
                            corridor.sandbox.internalAccounts.fund(account, { amount: added.amount })
                          }
                        >
                          {t('Add {amount}', { amount: textOf(added) })}
                        </Act>
                      )
                    },
                  },
                ]
              : []),
          ]}
          keyOf={(account) => account.id}
          to={(account) => `accounts/${encodeURIComponent(account.id)}`}
          empty={
            <Nothing
              title={t('The customer holds no account.')}
              cli="corridor customers update CUSTOMER --set currencies.0=USD"
            />
          }
        />
      </Part>
      <ReceivablesOf customer={id} />
      <Part title={t('Payees')}>
        {!data.isDeleted && (
          <p>
            <Go to={`external-accounts/new?customerId=${encodeURIComponent(id)}`}>{t('Add a payee')}</Go>
          </p>
        )}
        <Rows<Payee>
          label={t('Payees')}
          list={['payees', id]}
          read={(cursor) =>
            corridor.customers.externalAccounts.list({
              customerId: id,
              ...(cursor ? { cursor } : {}),
            } as never)
          }
          columns={[
            { title: t('Account'), cell: endOf },
            { title: t('Currency'), cell: ({ currency }) => currency },
            { title: t('Status'), cell: ({ status }) => <Status status={status} /> },
            {
              title: t('Name'),
              isWide: true,
              cell: ({ beneficiaryVerificationStatus: checked }) =>
                checked ? <Status status={checked} /> : '—',
            },
            ...outcomeColumns(environment),
          ]}
          keyOf={(payee) => payee.id}
          to={(payee) => `external-accounts/${encodeURIComponent(payee.id)}`}
          empty={
            <Nothing
              title={t('The customer has no payees yet.')}
              cli="corridor customers external-accounts create"
            />
          }
        />
      </Part>
      {data.customerType === 'BUSINESS' && <OwnersOf customer={id} />}
      <Part title={t('Payments')}>
        <Rows<Payment>
          label={t('Payments of the customer')}
          list={['payments-of', id]}
          read={(cursor) => listPayments(corridor, { customerId: id }, 100, cursor)}
          columns={paymentColumnsOfOne}
          keyOf={(payment) => payment.id}
          to={(payment) => `payments/${encodeURIComponent(payment.id)}`}
          empty={<Nothing title={t('No payments yet.')} cli="corridor pay" />}
        />
      </Part>
    </>
  )
}
