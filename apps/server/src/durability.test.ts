import { expect, it } from 'vitest'
import { lackOf } from './durability.ts'

const disk = { fsync: 'on', synchronousCommit: 'on', standbyNames: '' }
const standby = { ...disk, standbyNames: 'ANY 1 (a, b)' }

it.each([
  ['disk', disk],
  ['disk', { ...disk, synchronousCommit: 'local' }],
  ['disk', standby],
  ['standby', standby],
  ['standby', { ...standby, synchronousCommit: 'remote_apply' }],
] as const)('%s is given by %j', (wanted, settings) => {
  expect(lackOf(wanted, settings)).toBeUndefined()
})

it.each([
  ['disk', { ...disk, fsync: 'off' }, 'fsync is off'],
  ['disk', { ...disk, synchronousCommit: 'off' }, 'synchronous_commit is off'],
  ['standby', disk, 'synchronous_standby_names is empty'],
  ['standby', { ...standby, standbyNames: ' ' }, 'synchronous_standby_names is empty'],
  ['standby', { ...standby, synchronousCommit: 'local' }, 'synchronous_commit is local'],
  ['standby', { ...standby, synchronousCommit: 'remote_write' }, 'synchronous_commit is remote_write'],
  ['standby', { ...standby, fsync: 'off' }, 'fsync is off'],
] as const)('%s is not given by %j: %s', (wanted, settings, lack) => {
  expect(lackOf(wanted, settings)).toContain(lack)
})
