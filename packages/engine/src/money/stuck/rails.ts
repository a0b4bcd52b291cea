import { toTimestamp } from '@corridor/kernel'
import type { Engine } from '../../mechanisms/feature/engine.ts'
import { type PauseInForce, pausesInForce } from '../../mechanisms/pauses/pauses.ts'
import { type Rail, rails } from '../../reference/rails/index.ts'
import type { Environment } from '../../vocabulary/scope.ts'
import type { RailUnderWay } from './contract.ts'
import { listEnvironments, listUnderWay, type RailRow } from './store.ts'

/** Platforms that are shown of a rail. */
const mostPlatforms = 20
const secondsOfHour = 3_600
/** What an instant rail may take (accounts 1.1). */
const instantSeconds = 60

/** Each rail of each environment in use, with what is under way there and what holds it back. */
export async function readRails({ database, world }: Engine): Promise<RailUnderWay[]> {
  const [rows, pauses, environments] = await Promise.all([
    listUnderWay(database, toTimestamp(world.now())),
    pausesInForce(database),
    listEnvironments(database),
  ])
  const payoutRails = rails.filter(({ capabilities }: Rail) => capabilities.includes('PAYOUT'))
  return environments.flatMap((environment) =>
    payoutRails.map((rail) => {
      const on = rows.filter((row) => row.environment === environment && row.rail === rail.id)
      return render(environment, rail, on, pauses)
    }),
  )
}

function render(
  environment: Environment,
  rail: Rail,
  rows: readonly RailRow[],
  pauses: readonly PauseInForce[],
): RailUnderWay {
  const sum = (of: (row: RailRow) => bigint) => Number(rows.reduce((total, row) => total + of(row), 0n))
  const oldestMs = rows.map((row) => row.oldestMs).reduce((most, ms) => (ms > most ? ms : most), 0n)
  // One of a platform on all rails belongs to each rail that it uses, and Lightning is how some payments of UMA settle.
  const overLightning = (pause: PauseInForce) =>
    rows.some(
      (row) => row.isOverLightning && (pause.platformId === null || pause.platformId === row.platformId),
    )
  const isOn = (pause: PauseInForce) =>
    pause.environment === environment &&
    (pause.rail === rail.id ||
      (pause.rail === 'LIGHTNING' && overLightning(pause)) ||
      (pause.rail === null && rows.some(({ platformId }) => platformId === pause.platformId)))
  const platforms = [...rows].sort((a, b) => Number(b.stuck - a.stuck) || Number(b.underWay - a.underWay))
  return {
    environment,
    rail: rail.id,
    ...settlementOf(rail),
    underWay: sum((row) => row.underWay),
    stuck: sum((row) => row.stuck),
    held: sum((row) => row.held),
    ...(rows.length > 0 ? { oldestSeconds: Math.max(0, Number(oldestMs / 1000n)) } : {}),
    platforms: platforms.slice(0, mostPlatforms).map(({ platformId, underWay, stuck, held }) => ({
      platformId,
      underWay: Number(underWay),
      stuck: Number(stuck),
      held: Number(held),
    })),
    pauses: pauses.filter(isOn).map(({ id, platformId, rail: on, reasonCode, pausedBy, pausedAt }) => ({
      id: id as `Pause:${string}`,
      ...(platformId === null ? {} : { platformId }),
      ...(on === null ? {} : { rail: on }),
      reasonCode,
      pausedBy,
      pausedAt: toTimestamp(pausedAt),
    })),
  }
}

function settlementOf({
  settlement,
}: Rail): Pick<RailUnderWay, 'settlement' | 'expectedSeconds' | 'businessDays'> {
  switch (settlement.kind) {
    case 'INSTANT':
      return { settlement: 'INSTANT', expectedSeconds: instantSeconds }
    case 'HOURS':
      return { settlement: 'HOURS', expectedSeconds: settlement.hours * secondsOfHour }
    case 'BUSINESS_DAYS':
      return { settlement: 'BUSINESS_DAYS', businessDays: settlement.days }
    case 'SAME_BUSINESS_DAY':
      return { settlement: 'SAME_BUSINESS_DAY' }
  }
}
