import { ok, toTimestamp } from '@corridor/kernel'
import { route } from '../../mechanisms/feature/bound.ts'
import { defineFeature } from '../../mechanisms/feature/define-feature.ts'
import { listRails, listStuckPayments, type StuckRail } from './contract.ts'
import { readRails } from './rails.ts'
import { listStuck, type StuckRow } from './store.ts'

export const stuckFeature = defineFeature({
  name: 'stuck',
  routes: [
    route(listStuckPayments, async ({ database, world }) => {
      const data = byRail(await listStuck(database, toTimestamp(world.now())))
      return ok({ status: 200, body: { data, hasMore: false, totalCount: data.length } })
    }),
    route(listRails, async (engine) => {
      const data = await readRails(engine)
      return ok({ status: 200, body: { data, hasMore: false, totalCount: data.length } })
    }),
  ],
})

/** Rows of one rail follow each other. */
function byRail(rows: readonly StuckRow[]): StuckRail[] {
  const rails = new Map<string, StuckRail>()
  for (const row of rows) {
    const { platformId, environment, rail, count } = row
    const key = `${platformId} ${environment} ${rail}`
    const known = rails.get(key) ?? { platformId, environment, rail, count: Number(count), payments: [] }
    known.payments.push(render(row))
    rails.set(key, known)
  }
  return [...rails.values()]
}

function render({ id, status, reason, since, expectedAt, lateMs }: StuckRow): StuckRail['payments'][number] {
  return {
    id,
    status,
    reason,
    since: toTimestamp(since),
    expectedAt: toTimestamp(expectedAt),
    lateSeconds: lateMs < 0n ? 0 : Number(lateMs / 1000n),
  }
}
