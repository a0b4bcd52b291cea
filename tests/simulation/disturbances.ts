import { setTimeout as wait } from 'node:timers/promises'
import type { Cluster } from '../../scripts/bench/cluster.ts'
import type { StormOptions } from './storm.ts'

type Disturb = StormOptions['disturb']

/** The server dies without warning and is started again at once, so many times. */
export function killServer(times: number, pauseMs: number): Disturb {
  return async (server, { restored }) => {
    for (let round = 0; round < times; round++) {
      server.kill()
      await server.restart()
      if (round < times - 1) await wait(pauseMs)
    }
    restored()
  }
}

/** One session of the database is killed; PostgreSQL then ends all others and recovers. */
export function killSession(cluster: Cluster): Disturb {
  return async (_server, { restored }) => {
    const [pid] = await cluster.sessionIds()
    if (pid) process.kill(pid, 'SIGKILL')
    restored()
  }
}

/** The database stops as in a power cut and is started again later. */
export function stopDatabase(cluster: Cluster, awayMs: number): Disturb {
  return async (_server, { restored }) => {
    await cluster.control('stop', '-m', 'immediate')
    await wait(awayMs)
    await cluster.control('start')
    restored()
  }
}

/** The whole server is frozen: nothing is closed, nothing answers, and a new connection finds nobody. */
export function freezeDatabase(cluster: Cluster, frozenMs: number): Disturb {
  return async (_server, { restored }) => {
    const frozen = [await cluster.postmasterId()]
    process.kill(frozen[0]!, 'SIGSTOP')
    for (const pid of await cluster.sessionIds()) {
      process.kill(pid, 'SIGSTOP')
      frozen.push(pid)
    }
    await wait(frozenMs)
    for (const pid of frozen) process.kill(pid, 'SIGCONT')
    restored()
  }
}

export function oneAfterTheOther(pauseMs: number, disturbances: readonly Disturb[]): Disturb {
  return async (server, { restored }) => {
    for (const disturb of disturbances) {
      await disturb(server, { restored() {} })
      await wait(pauseMs)
    }
    restored()
  }
}
