import { useParams } from '@tanstack/react-router'

/** The id in the address of a page. */
export function usePageId(): string {
  return (useParams({ strict: false }) as { id: string }).id
}
