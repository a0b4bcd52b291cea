import { useQuery } from '@tanstack/react-query'
import { t } from '../../language/t.ts'
import { ageOf } from './ages.ts'
import { type RailUnderWay, useOperator } from './operator-api.ts'

/** How long a rail takes as a rule. */
export function expectedOf({ settlement, expectedSeconds, businessDays }: RailUnderWay): string {
  if (expectedSeconds !== undefined) return t('≤ {time}', { time: ageOf(expectedSeconds) })
  return settlement === 'BUSINESS_DAYS'
    ? t('{days, plural, one {# business day} other {# business days}}', { days: businessDays ?? 0 })
    : t('the same business day')
}

export function useRails() {
  const { get } = useOperator()
  return useQuery({
    queryKey: ['operator', 'rails'],
    queryFn: () => get<{ data: readonly RailUnderWay[] }>('rails'),
    refetchInterval: 15_000,
  })
}
