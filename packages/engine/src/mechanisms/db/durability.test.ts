import { describe, expect, it, vi } from 'vitest'
import {
  type ConfirmerConnection,
  createDurability,
  isReplicated,
  openConfirmer,
  type ServerState,
  type WantedDurability,
} from './durability.ts'

const stateOf = (server: string, standbyNames = 'a'): ServerState => ({
  server,
  standbyNames,
  synchronousCommit: 'on',
})

/** A database whose commits end when the test says so. */
function open(wanted?: WantedDurability, limitMs = 5_000, knownForMs = 60_000) {
  const looks: { resolve(state: ServerState): void; reject(error: Error): void }[] = []
  const commits: { resolve(state: ServerState): void; reject(error: Error): void }[] = []
  const durability = createDurability({
    confirmer: {
      commit: () => new Promise((resolve, reject) => commits.push({ resolve, reject })),
      look: () => new Promise((resolve, reject) => looks.push({ resolve, reject })),
      close() {},
    },
    wanted,
    limitMs,
    knownForMs,
  })
  return { durability, commits, looks }
}

const turn = () => new Promise((resolve) => setImmediate(resolve))

it('asks nothing where commits wait for no standby', () => {
  const { durability, commits } = open()
  durability.learn(stateOf('1', ''))
  expect(durability.whenDurable('1')).toBeUndefined()
  expect(commits).toEqual([])
})

it('asks nothing where the disk is enough, and always where a standby is wanted', async () => {
  const onDisk = open('disk')
  onDisk.durability.learn(stateOf('1'))
  expect(onDisk.durability.whenDurable('1')).toBeUndefined()
  const onStandby = open('standby')
  onStandby.durability.learn(stateOf('1', ''))
  const waiting = onStandby.durability.whenDurable('1')
  onStandby.commits[0]!.resolve(stateOf('1', ''))
  await expect(waiting).resolves.toBeUndefined()
})

it('takes no commit for a confirmation that was sent before, and shares the next', async () => {
  const { durability, commits } = open()
  durability.learn(stateOf('1'))
  const confirmed: string[] = []
  const ask = (name: string) => durability.whenDurable('1')!.then(() => confirmed.push(name))
  const all = [ask('first'), ask('second'), ask('third')]
  expect(commits).toHaveLength(1)
  commits[0]!.resolve(stateOf('1'))
  await turn()
  expect(confirmed).toEqual(['first'])
  expect(commits).toHaveLength(2)
  commits[1]!.resolve(stateOf('1'))
  await Promise.all(all)
  expect(confirmed).toEqual(['first', 'second', 'third'])
  expect(commits).toHaveLength(2)
})

it('does not confirm on one server what was read on another', async () => {
  const { durability, commits } = open()
  durability.learn(stateOf('1'))
  const waiting = durability.whenDurable('1')!
  commits[0]!.resolve(stateOf('2'))
  await expect(waiting).rejects.toThrow('another server has taken over')
  expect(durability.learn(stateOf('2'))).toBe(true)
  expect(durability.server()).toBe('2')
})

it('does not trust what a server with a standby showed once one without has taken over', async () => {
  const { durability, commits } = open()
  durability.learn(stateOf('1'))
  durability.learn(stateOf('2', ''))
  const waiting = durability.whenDurable('1')!
  commits[0]!.resolve(stateOf('2', ''))
  await expect(waiting).rejects.toThrow('another server has taken over')
  expect(durability.whenDurable('2')).toBeUndefined()
})

it('lets what a server without a standby showed pass when it has started anew', () => {
  const { durability } = open()
  durability.learn(stateOf('1', ''))
  durability.learn(stateOf('2', ''))
  expect(durability.whenDurable('1')).toBeUndefined()
})

/** Asks in a moment when what is known of the settings is too old. */
function openOutdated(limitMs?: number) {
  const opened = open(undefined, limitMs, 0)
  opened.durability.learn(stateOf('1', ''))
  return opened
}
const later = () => new Promise((resolve) => setTimeout(resolve, 2))

it('does not take for granted for long that commits wait for no standby', async () => {
  const { durability, commits, looks } = openOutdated()
  await later()
  let isConfirmed = false
  const waiting = durability.whenDurable('1')!.then(() => {
    isConfirmed = true
  })
  looks[0]!.resolve(stateOf('1'))
  await turn()
  expect(isConfirmed).toBe(false)
  commits[0]!.resolve(stateOf('1'))
  await waiting
})

it('goes on where the settings are as before, and asks once for all who wait', async () => {
  const { durability, commits, looks } = openOutdated()
  await later()
  const all = [durability.whenDurable('1'), durability.whenDurable('1')]
  looks[0]!.resolve(stateOf('1', ''))
  await Promise.all(all)
  expect([looks.length, commits.length]).toEqual([1, 0])
})

it('shows nothing while the settings cannot be read, as behind a commit that waits for a standby', async () => {
  const { durability, looks } = openOutdated(5)
  await later()
  await expect(durability.whenDurable('1')).rejects.toThrow('within 5 ms')
  looks[0]!.reject(new Error('cut'))
  await turn()
  const next = durability.whenDurable('1')!
  looks[1]!.resolve(stateOf('2', ''))
  await expect(next).rejects.toThrow('another server has taken over')
})

it('confirms nothing from a previous server whose last settings are unknown', async () => {
  const { durability, commits } = openOutdated()
  await later()
  durability.learn(stateOf('2', ''))
  const waiting = durability.whenDurable('1')!
  commits[0]!.resolve(stateOf('2', ''))
  await expect(waiting).rejects.toThrow('another server has taken over')
})

it('confirms no more once commits wait for no standby any more', async () => {
  const { durability, commits } = open()
  durability.learn(stateOf('1'))
  const waiting = durability.whenDurable('1')!
  commits[0]!.resolve(stateOf('1', ''))
  await waiting
  expect(durability.whenDurable('1')).toBeUndefined()
})

it('gives up after its time, and asks again after a commit that failed', async () => {
  const { durability, commits } = open(undefined, 5)
  durability.learn(stateOf('1'))
  await expect(durability.whenDurable('1')).rejects.toThrow('no standby has confirmed')
  const next = durability.whenDurable('1')!
  commits[0]!.reject(new Error('cut'))
  await turn()
  commits[1]!.resolve(stateOf('1'))
  await next
})

it.each([
  ['on', '*', true],
  ['remote_apply', 'ANY 1 (a, b)', true],
  ['remote_write', '*', false],
  ['local', '*', false],
  ['off', '*', false],
  ['on', '', false],
])('synchronous_commit %s with standbys %j: %s', (synchronousCommit, standbyNames, isSo) => {
  expect(isReplicated({ server: '1', standbyNames, synchronousCommit })).toBe(isSo)
})

describe('the connection of confirmations', () => {
  /** Connections whose questions nobody answers, unless the test does. */
  function openSilent(isAtWork: (backend: number) => Promise<boolean>) {
    const made: { answer(state: ServerState): void; isDestroyed: boolean }[] = []
    const confirmer = openConfirmer({
      async connect(): Promise<ConfirmerConnection> {
        let fail: (error: Error) => void = () => {}
        let end = () => {}
        const mine = { answer: (_: ServerState) => {}, isDestroyed: false }
        made.push(mine)
        return {
          session: {} as never,
          backend: made.length,
          ask: () =>
            new Promise((resolve, reject) => {
              mine.answer = resolve
              fail = reject
            }),
          onEnd: (listener) => {
            end = listener
          },
          destroy() {
            mine.isDestroyed = true
            fail(new Error('destroyed'))
            end()
          },
        }
      },
      watch: { add() {}, remove() {} },
      isAtWork,
      silentMs: 20,
    })
    return { confirmer, made }
  }

  it('that leads nowhere is given up, and the next confirmation gets another', async () => {
    const { confirmer, made } = openSilent(async () => false)
    await expect(confirmer.commit()).rejects.toThrow('destroyed')
    expect(made).toMatchObject([{ isDestroyed: true }])
    const next = confirmer.commit()
    await vi.waitUntil(() => made.length === 2)
    await turn()
    made[1]!.answer(stateOf('1'))
    expect(await next).toEqual(stateOf('1'))
  })

  it.each([
    ['whose standby holds the server up', async () => true],
    ['whose server cannot be asked', () => Promise.reject(new Error('away'))],
  ])('%s is kept: each other would hang as well', async (_name, isAtWork) => {
    let asked = 0
    const { confirmer, made } = openSilent(() => {
      asked++
      return isAtWork()
    })
    const commit = confirmer.commit()
    await vi.waitUntil(() => asked >= 3)
    expect(made).toMatchObject([{ isDestroyed: false }])
    made[0]!.answer(stateOf('1'))
    expect(await commit).toEqual(stateOf('1'))
  })
})
