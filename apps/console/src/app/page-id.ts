import { useParams } from '@tanstack/react-router'
import { usePane } from '../parts/pane.ts'

/** The id in the address of a page; of one that stands beside its list, the one that is open. */
export function usePageId(): string {
  const params = useParams({ strict: false }) as { id: string }
  return usePane()?.id ?? params.id
}
