import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useSession } from '../../app/session.tsx'
import { t } from '../../language/t.ts'
import { nameOf } from '../../parts/names.tsx'
import { Trouble } from '../../parts/states.tsx'
import { another, meantBy } from '../sandbox/choice.ts'
import { Pick } from '../sandbox/pick.tsx'

interface UmaAddressFieldProps {
  readonly label: string
  /** Empty: none yet. */
  readonly value: string
  readonly onChange: (value: string) => void
}

/** The UMA address of a customer, one of those listed or another one. */
export function UmaAddressField({ label, value, onChange }: UmaAddressFieldProps) {
  const { corridor } = useSession()
  const listed = useQuery({
    queryKey: ['uma-addresses'],
    queryFn: async () => {
      const { data } = await corridor.customers.list({ limit: 100 } as never)
      return data.flatMap((customer) =>
        customer.umaAddress
          ? [{ value: customer.umaAddress, name: `${nameOf(customer)} · ${customer.umaAddress}` }]
          : [],
      )
    },
  })
  const of = listed.data ?? []
  const first = meantBy('', of)
  // What is shown as chosen is chosen.
  useEffect(() => {
    if (value === '' && first !== '') onChange(first)
  }, [value, first, onChange])
  return (
    <>
      <Pick
        label={label}
        of={of}
        value={value}
        onChange={(next) => onChange(next)}
        other={t('UMA address')}
      />
      {listed.isError && !listed.data && (
        <Trouble error={listed.error} onRetry={() => void listed.refetch()} />
      )}
    </>
  )
}

/** What `onChange` gives while another address is meant and nothing is typed yet. */
export const noAddress = another
