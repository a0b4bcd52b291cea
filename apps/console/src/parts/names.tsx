import type { Corridor, Item } from '@corridor/sdk/index.ts'
import { useQuery } from '@tanstack/react-query'
import { Go, placeOf } from '../app/places.tsx'
import { useSession } from '../app/session.tsx'
import { t } from '../language/t.ts'
import { Copy } from './copy.tsx'
import { Id, shortOf } from './facts.tsx'
import { endOf, freshMs, holderOf, isGone, mostRead, payeeQuery, useResting } from './payee.tsx'

/** Names instead of ids, which the API tells of by other calls than those that name the id. */

export type Customer = Item<'listCustomers'>

export function nameOf(customer: Customer): string {
  if (customer.customerType === 'BUSINESS') return customer.businessInfo.legalName
  return (customer as { fullName?: string }).fullName ?? customer.platformCustomerId
}

type Named = readonly (readonly [id: string, name: string])[]

const limit = { limit: mostRead } as never
const readers: Readonly<Record<string, (corridor: Corridor) => Promise<Named>>> = {
  Customer: async (corridor) =>
    (await corridor.customers.list(limit)).data.map((each) => [each.id, nameOf(each)]),
  InternalAccount: async (corridor) => {
    const [own, ofCustomers, names] = await Promise.all([
      corridor.platform.internalAccounts.list(),
      corridor.customers.internalAccounts.list(limit),
      readers.Customer!(corridor),
    ])
    const known = new Map(names)
    return [
      ...own.data.map(({ id }) => [id, t('The platform')] as const),
      ...ofCustomers.data.flatMap(({ id, customerId }) => {
        const name = known.get(customerId ?? '')
        return name === undefined ? [] : [[id, name] as const]
      }),
    ]
  },
  Token: async (corridor) => (await corridor.tokens.list(limit)).data.map(({ id, name }) => [id, name]),
}

interface NameOfProps {
  readonly id: string | null | undefined
  /** What of the id stands where no name is known. */
  readonly short?: boolean | 'end'
}

/**
 * A customer, a token or whose an account is, in a row. The latest hundred are read at once, and only for rows that stay in view; until then, and of
 * the others, the end of the id.
 */
export function NameOf({ id, short = true }: NameOfProps) {
  const { corridor } = useSession()
  const kind = id?.split(':')[0] ?? ''
  const isResting = useResting()
  const { data } = useQuery({
    queryKey: ['names', kind],
    queryFn: async () => new Map(await readers[kind]!(corridor)),
    enabled: isResting && kind in readers,
    staleTime: freshMs,
    refetchOnWindowFocus: false,
    retry: false,
  })
  const name = id ? data?.get(id) : undefined
  if (!id || name === undefined) return <Id id={id} short={short} />
  const place = placeOf(id)
  return place ? (
    <Go to={place} title={id}>
      {name}
    </Go>
  ) : (
    <span title={id}>{name}</span>
  )
}

interface NameAndIdProps {
  readonly name: string | undefined
  readonly id: string
  /** No page shows it any more. */
  readonly isDeleted?: boolean
}

/** Who it is, and the id, to be copied as a whole. */
function NameAndId({ name, id, isDeleted }: NameAndIdProps) {
  const place = isDeleted ? undefined : placeOf(id)
  return (
    <>
      {name !== undefined && (
        <>
          {place ? <Go to={place}>{name}</Go> : name} <span className="id muted">{id}</span>
        </>
      )}
      {name === undefined && <Id id={id} />}{' '}
      <Copy name={t('Copy')} says={t('Copy the id {id}', { id })} text={() => id} />
    </>
  )
}

/** What the platform owns is its own; of a customer the name, once it is read. */
export function useOwnerName(id: string | undefined): string | undefined {
  const { corridor } = useSession()
  const { data } = useQuery({
    queryKey: ['customer', id],
    queryFn: () => corridor.customers.get(id!),
    enabled: id?.startsWith('Customer:') === true,
    retry: false,
  })
  return id?.startsWith('Customer:') ? data && nameOf(data) : id && t('The platform')
}

export function Owner({ id }: { readonly id: string }) {
  return <NameAndId name={useOwnerName(id)} id={id} />
}

interface PartyIds {
  readonly accountId?: string
  readonly umaAddress?: string
}

interface Who {
  /** Undefined: not known yet, or not by a name. */
  readonly name: string | undefined
  readonly isDeleted: boolean
}

/** Whose account it is, one with us or one elsewhere. */
function useWho({ accountId: id }: PartyIds): Who {
  const { corridor } = useSession()
  const isOwn = id?.startsWith('InternalAccount:') === true
  // Of an account elsewhere its page keeps what it read under its id, which has no balance.
  const own = isOwn ? id : undefined
  const account = useQuery({
    queryKey: ['account', own],
    queryFn: () => corridor.internalAccounts.get(own!),
    enabled: isOwn,
    retry: false,
  })
  const payee = useQuery({ ...payeeQuery(corridor, id ?? ''), enabled: id !== undefined && !isOwn })
  const owner = useOwnerName(account.data && (account.data.customerId ?? 'PlatformConfig:'))
  const code = account.data?.balance.currency.code
  if (isOwn) {
    const name = owner && code && t('{owner}, account in {currency}', { owner, currency: code })
    return { name: name || undefined, isDeleted: false }
  }
  if (isGone(payee.error)) return { name: t('deleted payee'), isDeleted: true }
  return { name: payee.data && endOf(payee.data), isDeleted: false }
}

/** Of a name in a sentence so much is shown. */
const mostOfName = 60

/** A name that a sentence has room for. */
function bounded(name: string | undefined): string | undefined {
  const letters = [...(name ?? '').trim()]
  if (letters.length <= mostOfName) return letters.join('') || undefined
  return `${letters.slice(0, mostOfName - 1).join('')}…`
}

/** What a customer is called, for a sentence; undefined until it is known, and of the platform itself. */
export function useCustomerName(id: string): string | undefined {
  const name = useOwnerName(id)
  return id.startsWith('Customer:') ? bounded(name) : undefined
}

/** Who holds an account elsewhere, for a sentence; undefined of one of ours, and where no name is known. */
export function usePayeeHolder(of: object | undefined): string | undefined {
  const { corridor } = useSession()
  const { accountId: id = '', umaAddress } = (of ?? {}) as PartyIds
  const payee = useQuery({ ...payeeQuery(corridor, id), enabled: id.startsWith('ExternalAccount:') })
  return bounded(payee.data ? holderOf(payee.data) : umaAddress)
}

/** Whom a payment goes to, in words for a question; as long as no name is known, the end of the id. */
export function usePartyName(of: object | undefined): string {
  const party = (of ?? {}) as PartyIds
  const { name } = useWho(party)
  return name ?? party.umaAddress ?? shortOf(party.accountId ?? '')
}

/** Who a payment comes from or goes to. */
export function Party({ of }: { readonly of: object }) {
  const party = of as PartyIds
  const { accountId, umaAddress } = party
  const who = useWho(party)
  if (accountId) return <NameAndId {...who} id={accountId} />
  return <span className="id">{umaAddress ?? t('Incoming money for this payment')}</span>
}
