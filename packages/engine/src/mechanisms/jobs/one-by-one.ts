import { scheduleOf, type World } from '@corridor/kernel'

/** The same for each, as the World schedules concurrent work. */
export function forAll<T, R>(
  world: Pick<World, 'within'>,
  all: readonly T[],
  work: (one: T) => Promise<R>,
): Promise<R[]> {
  return scheduleOf(world).all(all, work)
}
