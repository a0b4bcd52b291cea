import type { Item } from '@corridor/sdk/index.ts'
import { useQuery } from '@tanstack/react-query'
import { useView } from '../../app/places.tsx'
import { useSession } from '../../app/session.tsx'
import { t } from '../../language/t.ts'
import { type Filter, Filters, filtersOf } from '../../parts/filters.tsx'
import { Known } from '../../parts/known.tsx'
import { PageHead, Part } from '../../parts/page.tsx'
import { Rows } from '../../parts/rows.tsx'
import { Loading, Nothing, Trouble } from '../../parts/states.tsx'
import { words } from '../../words.ts'
import { page, whole } from '../resources/detail.tsx'
import { Invitations } from './invitations.tsx'

/** Whom money can reach: receivers, the institutions behind UMA addresses, banks, custodians. */

type Provider = Item<'getAvailableUmaProviders'>
type Institution = Item<'getDiscoveries'>
type Vasp = Item<'listVasps'>

const receiverFilters: readonly Filter[] = [
  { name: 'receiver', label: t('UMA address, or id of an external account') },
]

export function NetworkPage() {
  const { corridor } = useSession()
  const [view] = useView()
  const { receiver } = filtersOf(view, receiverFilters)
  return (
    <>
      <PageHead title={words.pages.network} />
      <Part title={t('Look up a receiver')}>
        <Filters of={receiverFilters} says={t('Look it up')} />
        {receiver && <Receiver of={receiver} />}
      </Part>
      <Part title={t('Invitations')}>
        <Invitations />
      </Part>
      <Part title={t('Institutions that UMA payments reach')}>
        <Rows<Provider>
          label={t('Institutions that UMA payments reach')}
          list={['uma-providers']}
          read={(cursor) => corridor.umaProviders.list(page(cursor))}
          columns={[
            { title: t('Name'), cell: ({ name }) => name },
            { title: t('Domain'), cell: ({ domain }) => domain },
          ]}
          keyOf={({ domain, name }) => domain ?? name}
          to={() => undefined}
          empty={<Nothing title={t('No institutions.')} />}
        />
      </Part>
      <Part title={t('Banks for accounts')}>
        <Rows<Institution>
          label={t('Banks for accounts')}
          list={['discoveries']}
          read={() => whole(corridor.discoveries.list())}
          columns={[
            { title: t('Name'), cell: ({ displayName }) => displayName },
            { title: t('Country'), cell: ({ country }) => country },
            { title: t('Currency'), cell: ({ currency }) => currency },
          ]}
          keyOf={({ bankName, country, currency }) => `${bankName} ${country} ${currency}`}
          to={() => undefined}
          empty={<Nothing title={t('No banks.')} />}
        />
      </Part>
      <Part title={t('Custodians of wallets')}>
        <Rows<Vasp>
          label={t('Custodians of wallets')}
          list={['vasps']}
          read={(cursor) => corridor.vasps.list(page(cursor))}
          columns={[
            { title: t('Name'), cell: ({ vaspName }) => vaspName },
            { title: t('Site'), isWide: true, cell: ({ url }) => url ?? '—' },
          ]}
          keyOf={({ vaspName, url }) => `${vaspName} ${url}`}
          to={() => undefined}
          empty={<Nothing title={t('No custodians.')} />}
        />
      </Part>
    </>
  )
}

/** What a receiver takes, and what must be known of who pays. */
function Receiver({ of }: { readonly of: string }) {
  const { corridor } = useSession()
  const found = useQuery({
    queryKey: ['receiver', of],
    queryFn: async (): Promise<unknown> =>
      of.startsWith('ExternalAccount:')
        ? await corridor.receiver.lookupExternalAccount(of)
        : await corridor.receiver.lookupUma(of),
  })
  if (found.isPending) return <Loading />
  if (found.isError) return <Trouble error={found.error} missing={of} onRetry={() => void found.refetch()} />
  return <Known key={of} of={found.data} />
}
