import { useState } from 'react'
import { t } from '../../language/t.ts'
import { Act } from '../../parts/act.tsx'
import { saveFile } from '../../parts/save-file.ts'
import { wallMs } from '../../parts/wall-clock.ts'
import { type Operator, type Platform, type UndeliveredEvent, useOperator } from './operator-api.ts'

/** How far back what was done is told. */
const backMs = 24 * 3_600_000
/** Pages of the audit log, of 100 entries each. */
const mostPages = 50
/** Platforms that are asked for what was not delivered. */
const mostPlatforms = 50

/** Evidence for the morning: what was found, what waits, what is paused, and who did what, in one file. */
export function IncidentExport() {
  const operator = useOperator()
  const [saved, setSaved] = useState('')
  return (
    <>
      <Act
        changesNothing
        run={() => gather(operator)}
        then={(name) => setSaved(t('{name} was saved.', { name }))}
      >
        {t('Export the incident')}
      </Act>
      <span role="status" className="muted">
        {saved}
      </span>
    </>
  )
}

/** Each part by itself: what cannot be read says so, and takes nothing from the others. */
async function gather({ get, page, id, role }: Operator): Promise<string> {
  const now = new Date(wallMs())
  const told = <T,>(asked: Promise<T>) =>
    asked.catch((error: unknown) => ({ notRead: error instanceof Error ? error.message : String(error) }))
  const [audit, stuck, rails, pauses, jobs, proposals, auditLog, endpoints, events] = await Promise.all([
    told(get('audit')),
    told(get('stuck')),
    told(get('rails')),
    told(page('pauses')),
    told(page('jobs')),
    told(page('proposals')),
    told(auditLogSince(page, new Date(now.getTime() - backMs).toISOString())),
    told(get('endpoints')),
    told(undelivered(page)),
  ])
  const evidence = {
    environments: environmentsOf(events),
    madeAt: now.toISOString(),
    madeBy: { id, role },
    audit,
    stuck,
    rails,
    pauses,
    endpoints,
    eventsNotDelivered: events,
    deadJobs: jobs,
    proposals,
    auditLog,
  }
  const name = `incident-${evidence.environments.join('-').toLowerCase()}-${now.toISOString().slice(0, 16).replace(':', '')}.json`
  saveFile(name, new Blob([JSON.stringify(evidence, undefined, 2)], { type: 'application/json' }))
  return name
}

/** Of whom it tells: whoever finds the file in the morning sees whether it is about real money. */
function environmentsOf(events: Awaited<ReturnType<typeof undelivered>> | object): readonly string[] {
  if (!('data' in events)) return ['UNKNOWN']
  const found = [...new Set(events.data.map(({ environment }) => environment))].sort()
  return found.length === 0 ? ['EMPTY'] : found
}

async function auditLogSince(page: Operator['page'], createdAfter: string): Promise<unknown> {
  const data: unknown[] = []
  let cursor: string | undefined
  for (let pages = 0; pages < mostPages; pages++) {
    const read = await page('audit-log', cursor, { createdAfter })
    data.push(...read.data)
    cursor = read.hasMore ? (read.nextCursor ?? undefined) : undefined
    if (cursor === undefined) return { since: createdAfter, isAll: true, data }
  }
  return { since: createdAfter, isAll: false, data }
}

/** How many events of each platform no endpoint took so far, given up or still tried, with the latest of them. */
async function undelivered(page: Operator['page']) {
  const { data } = await page<Platform>('platforms')
  const asked = data.slice(0, mostPlatforms).map(async ({ id: platformId, name, environment }) => {
    const of = async (status: UndeliveredEvent['status']) => {
      const query = { platformId, environment, status, limit: 20 }
      const { totalCount, data: latest } = await page<UndeliveredEvent>('events', undefined, query)
      return { totalCount, latest }
    }
    const [givenUp, waiting] = await Promise.all([of('FAILED'), of('RETRYING')])
    return { platformId, name, environment, givenUp, waiting }
  })
  return { isAll: data.length <= mostPlatforms, data: await Promise.all(asked) }
}
