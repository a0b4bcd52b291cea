import type { Answer } from '@corridor/sdk/index.ts'
import { useSession } from '../../app/session.tsx'
import { Moment } from '../../parts/facts.tsx'
import { Detail } from '../resources/detail.tsx'

type Job = Answer<'getBulkCustomerImportJob'>

/** A file of customers: how far it is, and what was wrong with which row. */
export function ImportPage() {
  const { corridor } = useSession()
  return (
    <Detail<Job>
      kind="job"
      path="customers/bulk/jobs"
      sdk="customers.bulk.jobs"
      read={(id) => corridor.customers.bulk.jobs.get(id)}
      titleOf={() => 'Import of customers'}
      statusOf={({ status }) => status}
      machine="bulk import"
      facts={({ progress, completedAt }) => [
        ...Object.entries(progress ?? {}).map(([name, count]) => [name, String(count)] as const),
        ['Completed', completedAt && <Moment key="c" at={completedAt} />],
      ]}
    />
  )
}
