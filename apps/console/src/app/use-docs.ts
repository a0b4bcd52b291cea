import { useQuery } from '@tanstack/react-query'

/** A heading of the documentation, which the same server serves. */
export interface DocsPlace {
  /** Address, with the anchor of the heading. */
  readonly at: string
  readonly page: string
  readonly heading: string
}

const most = 5
const shortestText = 2

/**
 * Headings with this text in them: those that begin with it first, and a page before its parts. Read once, when somebody
 * looks for something; where the documentation is not served nothing is found.
 */
export function useDocs(asked: string): readonly DocsPlace[] {
  const isAsked = asked.length >= shortestText
  const { data } = useQuery({
    queryKey: ['docs'],
    queryFn: async (): Promise<readonly DocsPlace[]> => {
      const response = await fetch('/docs/search.json', { credentials: 'omit' })
      return response.ok ? await response.json() : []
    },
    enabled: isAsked,
    staleTime: Number.POSITIVE_INFINITY,
  })
  if (!isAsked || !data) return []
  const text = asked.toLowerCase()
  const rankOf = ({ at, heading }: DocsPlace) => {
    const place = heading.toLowerCase().indexOf(text)
    if (place < 0) return -1
    return (place === 0 ? 0 : 2) + (at.includes('#') ? 1 : 0)
  }
  return data
    .map((place) => ({ place, rank: rankOf(place) }))
    .filter(({ rank }) => rank >= 0)
    .sort((a, b) => a.rank - b.rank)
    .slice(0, most)
    .map(({ place }) => place)
}
