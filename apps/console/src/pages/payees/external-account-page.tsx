import { Corridor } from '@corridor/sdk/index.ts'
import { useSession } from '../../app/session.tsx'
import { Id } from '../../parts/facts.tsx'
import { Part } from '../../parts/page.tsx'
import { Rows } from '../../parts/rows.tsx'
import { Nothing } from '../../parts/states.tsx'
import { Status } from '../../parts/status.tsx'
import { endOf, type Payee } from '../accounts/accounts-page.tsx'
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
  const { corridor } = useSession()
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
      facts={({ customerId, ownershipType, beneficiaryVerificationStatus: checked, platformAccountId }) => [
        ['Owner', customerId ? <Id key="c" id={customerId} /> : 'The platform'],
        ['Your own id', platformAccountId],
        ['Whose account', ownershipType === 'FIRST_PARTY' ? 'the customer’s own' : 'somebody else’s'],
        ['Name', checked && <Status key="n" status={checked} />],
      ]}
    />
  )
}

const groupOf = ({ customerId }: Payee) => (customerId ? 'customers' : 'platform')
