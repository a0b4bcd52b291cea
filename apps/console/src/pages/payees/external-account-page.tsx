import type { Answer } from '@corridor/sdk/index.ts'
import { useState } from 'react'
import { Go, usePlaces } from '../../app/places.tsx'
import { useSession } from '../../app/session.tsx'
import { t } from '../../language/t.ts'
import { Act } from '../../parts/act.tsx'
import type { Column } from '../../parts/columns.tsx'
import { Facts, Moment } from '../../parts/facts.tsx'
import { Identifier } from '../../parts/known.tsx'
import { isSensitive } from '../../parts/masked.ts'
import { Owner } from '../../parts/names.tsx'
import { Part } from '../../parts/page.tsx'
import { endOf, type Payee, readPayee } from '../../parts/payee.tsx'
import { Rows } from '../../parts/rows.tsx'
import { Nothing } from '../../parts/states.tsx'
import { Status } from '../../parts/status.tsx'
import { rowsOf } from '../accounts/coordinate-names.ts'
import { outcomeOf } from '../quote/outcome.ts'
import { Detail, page } from '../resources/detail.tsx'
import { Outcome } from './outcome-told.tsx'

/** What their endings do, where payments are played. */
export function outcomeColumns(environment: 'sandbox' | 'production'): readonly Column<Payee>[] {
  if (environment !== 'sandbox') return []
  return [
    {
      title: t('A payment, in the sandbox'),
      width: 'event',
      isWide: true,
      cell: (payee) => <Outcome of={payee} />,
    },
  ]
}

/** The external accounts of the platform itself, for the page of accounts. */
export function PlatformPayees() {
  const { corridor, environment } = useSession()
  return (
    <Part title={t('External, of the platform')}>
      <p>
        <Go to="external-accounts/new">{t('Add an external account')}</Go>
      </p>
      <Rows<Payee>
        label={t('External accounts of the platform')}
        list={['platform-payees']}
        read={(cursor) => corridor.platform.externalAccounts.list(page(cursor))}
        columns={[
          { title: t('Account'), cell: endOf },
          { title: t('Currency'), cell: ({ currency }) => currency },
          {
            title: t('Type'),
            isWide: true,
            cell: ({ accountInfo }) => <code>{accountInfo.accountType}</code>,
          },
          { title: t('Status'), cell: ({ status }) => <Status status={status} /> },
          ...outcomeColumns(environment),
        ]}
        keyOf={({ id }) => id}
        to={({ id }) => `external-accounts/${encodeURIComponent(id)}`}
        empty={
          <Nothing
            title={t('The platform has no external accounts.')}
            cli="corridor platform external-accounts create"
          />
        }
      />
    </Part>
  )
}

/** An external account of a customer or of the platform: its id does not say of whom. */
export function ExternalAccountPage() {
  const { corridor, environment } = useSession()
  return (
    <Detail<Payee>
      kind="account"
      path={(account) => `${groupOf(account)}/external-accounts`}
      sdk={(account) => `${groupOf(account)}.externalAccounts`}
      read={(id) => readPayee(corridor, id)}
      titleOf={(account) => `${endOf(account)} · ${account.currency}`}
      statusOf={({ status }) => status}
      machine="external account"
      acts={(account) => <PayeeActs of={account} />}
      parts={(account) => <Ownership of={account} />}
      facts={({
        customerId,
        ownershipType,
        beneficiaryVerificationStatus: checked,
        platformAccountId,
        accountInfo,
      }) => [
        [
          t('A payment to it, in the sandbox'),
          environment === 'sandbox' ? outcomeOf({ accountInfo }) : undefined,
        ],
        [t('Type'), <code key="t">{accountInfo.accountType}</code>],
        ...coordinatesOf(accountInfo),
        [t('Payee of'), customerId ? <Owner key="c" id={customerId} /> : t('The platform')],
        [t('Your own id'), platformAccountId],
        [
          t('Whose account'),
          ownershipType === 'FIRST_PARTY' ? t('the customer’s own') : t('somebody else’s'),
        ],
        [t('Name check'), checked && <Status key="n" status={checked} />],
      ]}
    />
  )
}

/** Its number, bank and rails; who holds it is said by its title. */
function coordinatesOf({
  accountType: _,
  beneficiary: __,
  ...info
}: Payee['accountInfo'] & { beneficiary?: unknown }) {
  return rowsOf(info).map(
    ([name, value]) =>
      [
        name,
        isSensitive(name) ? (
          <Identifier key={name} name={name} value={value} />
        ) : (
          <span key={name} className="id">
            {value}
          </span>
        ),
      ] as const,
  )
}

function PayeeActs({ of: payee }: { readonly of: Payee }) {
  const { id, customerId } = payee
  const { corridor } = useSession()
  const { go } = usePlaces()
  const payTo = new URLSearchParams({ to: id, ...(customerId ? { customerId } : {}) })
  return (
    <>
      <Go className="main" to={`quotes/new?${payTo}`}>
        {t('Pay to it')}
      </Go>
      <Act
        confirm={t('Delete {account} for good', { account: endOf(payee) })}
        run={() =>
          customerId
            ? corridor.customers.externalAccounts.delete(id)
            : corridor.platform.externalAccounts.delete(id)
        }
        then={() => go(customerId ? `customers/${encodeURIComponent(customerId)}` : 'accounts')}
      >
        {t('Delete')}
      </Act>
    </>
  )
}

type Challenge = Answer<'createExternalAccountOwnershipChallenge'>
const methods = ['WALLET_SIGNATURE', 'LIVENESS'] as const

/** Of a wallet whose keys its owner holds: what proves that it is the owner's. */
function Ownership({ of }: { readonly of: Payee }) {
  const { id, customerId, accountInfo } = of
  const { corridor } = useSession()
  const [asked, setAsked] = useState<Challenge>()
  if (!String(accountInfo.accountType).endsWith('_WALLET')) return null
  const ask = (method: (typeof methods)[number]): PromiseLike<Challenge> =>
    customerId
      ? corridor.customers.externalAccounts.challenge(id, { method })
      : corridor.platform.externalAccounts.challenge(id, { method })
  return (
    <Part title={t('Proof of ownership')}>
      <div className="acts">
        <Act
          asks={t('Request a signature of {account}', { account: endOf(of) })}
          run={() => ask('WALLET_SIGNATURE')}
          then={setAsked}
        >
          {t('Request a signature')}
        </Act>
        <Act
          asks={t('Start the face check of the owner of {account}', { account: endOf(of) })}
          run={() => ask('LIVENESS')}
          then={setAsked}
        >
          {t('Start the face check')}
        </Act>
      </div>
      {asked && (
        <Facts
          of={[
            [
              t('To be signed'),
              asked.method === 'WALLET_SIGNATURE' ? <pre key="m">{asked.messageToSign}</pre> : undefined,
            ],
            [
              t('For the owner to open'),
              asked.method === 'LIVENESS' ? (
                <a key="l" className="id" href={asked.verificationLink}>
                  {asked.verificationLink}
                </a>
              ) : undefined,
            ],
            [t('Until'), <Moment key="u" at={asked.expiresAt} />],
          ]}
        />
      )}
    </Part>
  )
}

const groupOf = ({ customerId }: Payee) => (customerId ? 'customers' : 'platform')
