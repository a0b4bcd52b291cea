import { useQuery } from '@tanstack/react-query'
import { type AuditReport, useOperator } from './operator-api.ts'

/**
 * The ledgers of all platforms and the audit log, computed anew. It reads all there is, so only `refetch` asks for it: what
 * an operator does on a page does not.
 */
export function useInstallationAudit() {
  const { get } = useOperator()
  return useQuery({
    queryKey: ['operator', 'audit'],
    queryFn: () => get<AuditReport>('audit'),
    enabled: false,
  })
}
