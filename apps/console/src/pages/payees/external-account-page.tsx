import { type Answer, Corridor } from '@corridor/sdk/index.ts'
import { useState } from 'react'
import { Go, usePlaces } from '../../app/places.tsx'
import { useSession } from '../../app/session.tsx'
import { Act } from '../../parts/act.tsx'
import { Facts, Id, Moment } from '../../parts/facts.tsx'
import { Part } from '../../parts/page.tsx'
import { Rows } from '../../parts/rows.tsx'
import { Nothing } from '../../parts/states.tsx'
import { Status } from '../../parts/status.tsx'
import { endOf, type Payee } from '../accounts/accounts-page.tsx'
import { outcomeOf } from '../quote/outcome.ts'
import { Detail, page } from '../resources/detail.tsx'

/** The external accounts of the platform itself, for the page of accounts. */
export function PlatformPayees() {
  const { corridor } = useSession()
  return (
    <Part title="External, of the platform">
      <Rows<Payee>
        label="External accounts of the platform"
        list={['platform-payees']}
        read={(cursor) => corridor.platform.externalAccounts.list(page(cursor))}
        columns={[
          { title: 'Account', cell: endOf },
          { title: 'Currency', cell: ({ currency }) => currency },
          { title: 'Status', cell: ({ status }) => <Status status={status} /> },
        ]}
        keyOf={({ id }) => id}
        to={({ id }) => `external-accounts/${encodeURIComponent(id)}`}
        empty={
          <Nothing
            title="The platform has no external accounts."
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
  const read = async (id: string): Promise<Payee> => {
    try {
      return await corridor.customers.externalAccounts.get(id)
    } catch (error) {
      if (!(error instanceof Corridor.Error) || error.status !== 404) throw error
      return await corridor.platform.externalAccounts.get(id)
    }
  }
  return (
    <Detail<Payee>
      kind="account"
      path={(account) => `${groupOf(account)}/external-accounts`}
      sdk={(account) => `${groupOf(account)}.externalAccounts`}
      read={read}
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
          'A payment to it, in the sandbox',
          environment === 'sandbox' ? outcomeOf({ accountInfo }) : undefined,
        ],
        ['Owner', customerId ? <Id key="c" id={customerId} /> : 'The platform'],
        ['Your own id', platformAccountId],
        ['Whose account', ownershipType === 'FIRST_PARTY' ? 'the customer’s own' : 'somebody else’s'],
        ['Name', checked && <Status key="n" status={checked} />],
      ]}
    />
  )
}

function PayeeActs({ of: { id, customerId } }: { readonly of: Payee }) {
  const { corridor } = useSession()
  const { go } = usePlaces()
  const payTo = new URLSearchParams({ to: id, ...(customerId ? { customerId } : {}) })
  return (
    <>
      <Go className="main" to={`quotes/new?${payTo}`}>
        Pay to it
      </Go>
      <Act
        confirm="Delete it for good"
        run={() =>
          customerId
            ? corridor.customers.externalAccounts.delete(id)
            : corridor.platform.externalAccounts.delete(id)
        }
        then={() => go(customerId ? `customers/${encodeURIComponent(customerId)}` : 'accounts')}
      >
        Delete
      </Act>
    </>
  )
}

type Challenge = Answer<'createExternalAccountOwnershipChallenge'>
const methods = ['WALLET_SIGNATURE', 'LIVENESS'] as const

/** Of a wallet whose keys its owner holds: what proves that it is the owner's. */
function Ownership({ of: { id, customerId, accountInfo } }: { readonly of: Payee }) {
  const { corridor } = useSession()
  const [asked, setAsked] = useState<Challenge>()
  if (!String(accountInfo.accountType).endsWith('_WALLET')) return null
  const ask = (method: (typeof methods)[number]): PromiseLike<Challenge> =>
    customerId
      ? corridor.customers.externalAccounts.challenge(id, { method })
      : corridor.platform.externalAccounts.challenge(id, { method })
  return (
    <Part title="Proof of who owns it">
      <div className="acts">
        <Act run={() => ask('WALLET_SIGNATURE')} then={setAsked}>
          Ask for a signature
        </Act>
        <Act run={() => ask('LIVENESS')} then={setAsked}>
          Ask the owner to show the face
        </Act>
      </div>
      {asked && (
        <Facts
          of={[
            [
              'To be signed',
              asked.method === 'WALLET_SIGNATURE' ? <pre key="m">{asked.messageToSign}</pre> : undefined,
            ],
            [
              'For the owner to open',
              asked.method === 'LIVENESS' ? (
                <a key="l" className="id" href={asked.verificationLink}>
                  {asked.verificationLink}
                </a>
              ) : undefined,
            ],
            ['Until', <Moment key="u" at={asked.expiresAt} />],
          ]}
        />
      )}
    </Part>
  )
}

const groupOf = ({ customerId }: Payee) => (customerId ? 'customers' : 'platform')
