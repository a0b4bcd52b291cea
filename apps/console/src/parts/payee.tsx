import { Corridor, type Item } from '@corridor/sdk/index.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { Go, placeOf } from '../app/places.tsx'
import { useSession } from '../app/session.tsx'
import { t } from '../language/t.ts'
import { Id } from './facts.tsx'

export type Payee = Item<'listCustomerExternalAccounts'>

interface Parts {
  readonly holder: string
  /** Where there is room for less: of somebody the first name, and how the last one begins. */
  readonly brief: string
  readonly end: string
}

/** Who holds an account elsewhere, and the end of its number. */
function partsOf({ accountInfo, id }: Payee): Parts {
  const info = accountInfo as unknown as Record<string, unknown>
  const number = ['iban', 'accountNumber', 'clabeNumber', 'pixKey', 'address', 'phoneNumber']
    .map((name) => info[name])
    .find((value) => typeof value === 'string')
  const { fullName, legalName } = (info.beneficiary ?? {}) as { fullName?: string; legalName?: string }
  const holder = fullName ?? legalName ?? ''
  const [first, ...others] = (fullName ?? '').split(' ')
  const initial = [...(others.at(-1) ?? '')][0]
  return {
    holder,
    brief: initial === undefined ? holder : `${first} ${initial}.`,
    end: `…${String(number ?? id).slice(-4)}`,
  }
}

/** What tells one account of a payee from another: its holder, and the end of its number. */
export function endOf(payee: Payee): string {
  const { holder, end } = partsOf(payee)
  return `${holder} ${end}`.trim()
}

export const holderOf = (payee: Payee) => partsOf(payee).holder

/** A row that is scrolled past asks for nothing. */
const restMs = 300
/** As often as this a name that was read is read again. */
export const freshMs = 60_000
/** So many names are read at once. */
export const mostRead = 100

/** Whether a row has stayed in view for a moment. */
export function useResting(): boolean {
  const [isResting, setResting] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setResting(true), restMs)
    return () => clearTimeout(timer)
  }, [])
  return isResting
}

/** An account elsewhere: its id does not say whether it is a customer's or the platform's. */
export async function readPayee(corridor: Corridor, id: string): Promise<Payee> {
  try {
    return await corridor.customers.externalAccounts.get(id)
  } catch (error) {
    if (!isGone(error)) throw error
    return await corridor.platform.externalAccounts.get(id)
  }
}

/** What was deleted is not told any more. */
export const isGone = (error: unknown) => error instanceof Corridor.Error && error.status === 404

export const payeeQuery = (corridor: Corridor, id: string) =>
  ({
    queryKey: ['payee', id],
    queryFn: () => readPayee(corridor, id),
    staleTime: freshMs,
    refetchOnWindowFocus: false,
    retry: false,
  }) as const

interface PayeeNameProps {
  readonly id: string
  /** Whose payment it is: a customer, the platform itself, or nobody who is known. */
  readonly customerId: string | undefined
}

/**
 * An account elsewhere in a list of payments, which names its id alone. The accounts of a customer are read at once, and only
 * for rows that stay in view, so a list asks for no more than it shows. One that is not among them is asked for by its id:
 * it was deleted, or there are more. Until then the end of the id.
 */
export function PayeeName(props: PayeeNameProps) {
  const queries = useQueryClient()
  const isResting = useResting()
  if (isResting) return <ReadPayee {...props} />
  // A row that is scrolled past shows what is known, and listens to nothing.
  const { id, customerId } = props
  const known = queries.getQueryData<KnownPayees>(payeesKey(customerId))?.get(id)
  const one = known ? undefined : queries.getQueryState<Payee>(['payee', id])
  return (
    <ShownPayee id={id} parts={known ?? (one?.data && partsOf(one.data))} isDeleted={isGone(one?.error)} />
  )
}

type KnownPayees = ReadonlyMap<string, Parts>

/** What a platform holds itself names its own id where that of a customer stands. */
const customerOf = (id: string | undefined) => (id?.startsWith('Customer:') ? id : undefined)
const payeesKey = (customerId: string | undefined) =>
  ['payees', customerOf(customerId) ?? 'platform'] as const

function ReadPayee({ id, customerId }: PayeeNameProps) {
  const { corridor } = useSession()
  const { data } = useQuery({
    queryKey: payeesKey(customerId),
    queryFn: async (): Promise<KnownPayees> => {
      const ofCustomer = customerOf(customerId)
      const { data } = ofCustomer
        ? await corridor.customers.externalAccounts.list({ customerId: ofCustomer, limit: mostRead } as never)
        : await corridor.platform.externalAccounts.list({ limit: mostRead } as never)
      return new Map(data.map((each) => [each.id as string, partsOf(each as Payee)]))
    },
    staleTime: freshMs,
    refetchOnWindowFocus: false,
  })
  const one = useQuery({ ...payeeQuery(corridor, id), enabled: data !== undefined && !data.has(id) })
  const parts = data?.get(id) ?? (one.data && partsOf(one.data))
  return <ShownPayee id={id} parts={parts} isDeleted={isGone(one.error)} />
}

interface ShownPayeeProps {
  readonly id: string
  /** Undefined: not known yet. */
  readonly parts: Parts | undefined
  readonly isDeleted: boolean
}

function ShownPayee({ id, parts: found, isDeleted }: ShownPayeeProps) {
  if (isDeleted) {
    return (
      <span className="party" title={`${t('deleted payee')} · ${id}`}>
        <span>{t('deleted')}</span> …{id.slice(-6)}
      </span>
    )
  }
  if (!found) return <Id id={id} short="end" />
  return (
    <Go className="party" to={placeOf(id)!} title={`${found.holder} ${found.end} · ${id}`}>
      <span>{found.brief}</span> {found.end}
    </Go>
  )
}
