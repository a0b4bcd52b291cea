import { expect, it } from 'vitest'
import { createDurability, isReplicated, type ServerState, type WantedDurability } from './durability.ts'

const stateOf = (server: string, standbyNames = 'a'): ServerState => ({
  server,
  standbyNames,
  synchronousCommit: 'on',
})

/** A database whose commits end when the test says so. */
function open(wanted?: WantedDurability, limitMs = 5_000) {
  const commits: { resolve(state: ServerState): void; reject(error: Error): void }[] = []
  const durability = createDurability({
    confirmer: {
      commit: () => new Promise((resolve, reject) => commits.push({ resolve, reject })),
      look: async () => stateOf('1'),
      close() {},
    },
    wanted,
    limitMs,
  })
  return { durability, commits }
}

const turn = () => new Promise((resolve) => setImmediate(resolve))

it('asks nothing where commits wait for no standby', () => {
  const { durability, commits } = open()
  durability.learn(stateOf('1', ''))
  expect(durability.whenDurable('1')).toBeUndefined()
  expect(commits).toEqual([])
})

it('asks nothing where the disk is enough, and always where a standby is wanted', () => {
  const onDisk = open('disk')
  onDisk.durability.learn(stateOf('1'))
  expect(onDisk.durability.whenDurable('1')).toBeUndefined()
  const onStandby = open('standby')
  onStandby.durability.learn(stateOf('1', ''))
  expect(onStandby.durability.whenDurable('1')).toBeInstanceOf(Promise)
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
