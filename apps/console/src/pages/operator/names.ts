import { useQuery } from '@tanstack/react-query'
import { type Book, type Platform, useOperator } from './operator-api.ts'

/** What a platform is called; its id until that is known. */
export function useNames(): (book: Pick<Book, 'platformId'>) => string {
  const { page } = useOperator()
  const platforms = useQuery({
    queryKey: ['operator', 'platforms'],
    queryFn: () => page<Platform>('platforms'),
  })
  return ({ platformId }) => platforms.data?.data.find(({ id }) => id === platformId)?.name ?? platformId
}
