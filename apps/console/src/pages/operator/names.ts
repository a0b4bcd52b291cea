import { useQuery } from '@tanstack/react-query'
import { t } from '../../language/t.ts'
import { shortOf } from '../../parts/facts.tsx'
import { type Account, type Book, type Platform, useOperator } from './operator-api.ts'

/** What a platform is called; its id until that is known. */
export function useNames(): (book: Pick<Book, 'platformId'>) => string {
  const { page } = useOperator()
  const platforms = useQuery({
    queryKey: ['operator', 'platforms'],
    queryFn: () => page<Platform>('platforms'),
  })
  return ({ platformId }) => platforms.data?.data.find(({ id }) => id === platformId)?.name ?? platformId
}

/**
 * What an actor is called: an operator by the name of the account, as far as one page of them goes, where whoever looks may read
 * them; others by the kind and the end of the id.
 */
export function useOperatorNames(): (id: string) => string {
  const { page } = useOperator()
  const operators = useQuery({
    queryKey: ['operator', 'operator-names'],
    queryFn: () => page<Account>('operators'),
    retry: false,
  })
  return (id) =>
    id === 'operator'
      ? t('key of the environment')
      : (operators.data?.data.find((each) => each.id === id)?.name ?? shortOf(id))
}
