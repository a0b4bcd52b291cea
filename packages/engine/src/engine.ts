import type { World } from '@corridor/kernel'

/** Everything a command needs, passed as its first argument; built in one place and never imported. */
export interface Engine {
  readonly world: World
}
