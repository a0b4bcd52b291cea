import type { Item } from '@corridor/sdk/index.ts'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { Go, placeOf } from '../app/places.tsx'
import { useSession } from '../app/session.tsx'
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

/** A row that is scrolled past asks for nothing. */
const restMs = 300
/** As often as this a name that was read is read again. */
const freshMs = 60_000
const most = 100

interface PayeeNameProps {
  readonly id: string
  /** Absent: of the platform itself. */
  readonly customerId: string | undefined
}

/**
 * An account elsewhere in a list of payments, which names its id alone. The accounts of a customer are read at once, and only
 * for rows that stay in view, so a list asks for no more than it shows. Until then, and where there are more, the end of the id.
 */
export function PayeeName({ id, customerId }: PayeeNameProps) {
  const { corridor } = useSession()
  const [isResting, setResting] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setResting(true), restMs)
    return () => clearTimeout(timer)
  }, [])
  const { data } = useQuery({
    queryKey: ['payees', customerId ?? 'platform'],
    queryFn: async () => {
      const { data } = customerId
        ? await corridor.customers.externalAccounts.list({ customerId, limit: most } as never)
        : await corridor.platform.externalAccounts.list({ limit: most } as never)
      return new Map(data.map((each) => [each.id as string, partsOf(each as Payee)]))
    },
    enabled: isResting,
    staleTime: freshMs,
    refetchOnWindowFocus: false,
  })
  const found = data?.get(id)
  if (!found) return <Id id={id} short="end" />
  return (
    <Go className="party" to={placeOf(id)!} title={`${found.holder} ${found.end} · ${id}`}>
      <span>{found.brief}</span> {found.end}
    </Go>
  )
}
