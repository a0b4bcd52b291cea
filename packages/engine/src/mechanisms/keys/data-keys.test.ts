import { simWorld } from '@corridor/testkit/index.ts'
import { describe, expect, it } from 'vitest'
import { dataKeyOf, newDataKeyText } from './data-keys.ts'
import { type Keyring, newInstallationKey } from './keyring.ts'
import { createKeys } from './keys.ts'
import { openBytes, type SealedColumn, sealBytes, sealFormer } from './sealing.ts'

const world = simWorld(1)
const book = { platformId: world.uuid(), environment: 'SANDBOX' } as const
const personal: SealedColumn = { table: 'people', column: 'personal', row: 'id', formerly: 'person {row}' }

describe('a data key', () => {
  const freshKey = (opensFormer = false) => dataKeyOf(newDataKeyText(world), book, world, opensFormer)

  it('opens what it has sealed, and another text comes out every time', () => {
    const key = freshKey()
    const texts = ['', 'Ana Lopez', '{"name":"Zoë 田中"}', 'x'.repeat(10_000)]
    for (const text of texts) expect(key.open(personal, 'P1', key.seal(personal, 'P1', text))).toBe(text)
    expect(key.seal(personal, 'P1', 'Ana')).not.toBe(key.seal(personal, 'P1', 'Ana'))
  })

  it('opens nothing in another place, nothing of another owner, and nothing that was changed', () => {
    const key = freshKey()
    const sealed = key.seal(personal, 'P1', 'Ana Lopez')
    expect(() => key.open({ ...personal, table: 'animals' }, 'P1', sealed)).toThrow('authenticate')
    expect(() => key.open({ ...personal, column: 'note' }, 'P1', sealed)).toThrow('authenticate')
    expect(() => key.open(personal, 'P2', sealed)).toThrow('authenticate')
    expect(() => freshKey().open(personal, 'P1', sealed)).toThrow('the key that it names')
    const last = sealed.at(-2) === 'A' ? 'B' : 'A'
    expect(() => key.open(personal, 'P1', sealed.slice(0, -2) + last + sealed.at(-1))).toThrow('authenticate')
    expect(() => key.open(personal, 'P1', sealed.slice(0, -8))).toThrow('authenticate')
    expect(() => key.open(personal, 'P1', sealed.slice(0, 25))).toThrow('nonce')
  })

  it('opens what it had sealed in another platform or environment there alone', () => {
    const text = newDataKeyText(world)
    const sealed = dataKeyOf(text, book, world, false).seal(personal, 'P1', 'Ana Lopez')
    for (const other of [
      { ...book, platformId: world.uuid() },
      { ...book, environment: 'PRODUCTION' } as const,
    ]) {
      expect(() => dataKeyOf(text, other, world, false).open(personal, 'P1', sealed)).toThrow('authenticate')
    }
  })

  it('opens texts of the older form as long as there may be any', () => {
    const text = newDataKeyText(world)
    const older = sealFormer('Ana Lopez', Buffer.from(text, 'base64'), world, 'person P1')
    expect(dataKeyOf(text, book, world, true).open(personal, 'P1', older)).toBe('Ana Lopez')
    expect(() => dataKeyOf(text, book, world, true).open(personal, 'P2', older)).toThrow('authenticate')
    expect(() => dataKeyOf(text, book, world, false).open(personal, 'P1', older)).toThrow('sealed anew')
  })
})

describe('the keys of an installation', () => {
  const random = () => Buffer.from(world.randomBytes(32))
  const ring = (): Keyring => ({
    hashing: random(),
    tagging: random(),
    searching: random(),
    sealing: [newInstallationKey(world, [], world.now())],
  })
  const answers: SealedColumn = { table: 'answers', column: 'body', row: 'id' }
  const other = { ...book, platformId: world.uuid() }

  it('open a text in its own place alone', () => {
    const { keys } = createKeys(world, ring())
    const sealed = keys.seal(book, answers, 'A1', 'secret')
    expect(sealed).toMatch(/^2\.k1\.[\w-]+$/)
    expect(keys.open(book, answers, 'A1', sealed)).toBe('secret')
    expect(() => keys.open(book, answers, 'A2', sealed)).toThrow('authenticate')
    expect(() => keys.open(other, answers, 'A1', sealed)).toThrow('authenticate')
    expect(() => keys.open(book, { ...answers, table: 'keys' }, 'A1', sealed)).toThrow('authenticate')
    expect(() => keys.open(book, answers, 'A1', sealed.replace('2.k1.', '2.k9.'))).toThrow('of the keyring')
    expect(() => keys.open(book, answers, 'A1', sealed.replace('2.k1.', ''))).toThrow('sealed anew')
  })

  it('open a data key for its owner alone, also once it has been opened', () => {
    const { keys } = createKeys(world, ring())
    const sealedKey = keys.newDataKey(book, 'C1')
    const sealed = keys.dataKey(book, 'C1', sealedKey).seal(personal, 'C1', 'Ana')
    expect(keys.dataKey(book, 'C1', sealedKey).open(personal, 'C1', sealed)).toBe('Ana')
    expect(() => keys.dataKey(book, 'C2', sealedKey)).toThrow('authenticate')
    expect(() => keys.dataKey(other, 'C1', sealedKey)).toThrow('authenticate')
    expect(() => createKeys(world, ring()).keys.dataKey(book, 'C1', sealedKey)).toThrow('authenticate')
  })

  it('seal with a new key from its time on, and open what the one before has sealed', () => {
    const before = ring()
    const { keys, use } = createKeys(world, before)
    const older = keys.seal(book, answers, 'A1', 'secret')
    use({
      ...before,
      sealing: [...before.sealing, newInstallationKey(world, before.sealing, world.now() + 1)],
    })
    expect(keys.seal(book, answers, 'A1', 'secret')).toMatch(/^2\.k1\./)
    expect(keys.resealed(book, answers, 'A1', older)).toBeUndefined()
    world.passMs(1)
    const anew = keys.resealed(book, answers, 'A1', older)
    expect(anew).toMatch(/^2\.k2\./)
    for (const sealed of [older, anew!]) expect(keys.open(book, answers, 'A1', sealed)).toBe('secret')
  })
})

it('bytes are sealed as they are', () => {
  const bytes = new Uint8Array([0, 255, 128, 10])
  const key = new Uint8Array(32).fill(7)
  const sealed = sealBytes(bytes, key, world)
  expect([...openBytes(sealed, key)]).toEqual([...bytes])
  expect(Buffer.from(sealed).includes(Buffer.from(bytes))).toBe(false)
})
