import { randomBytes } from 'node:crypto'
import { simWorld } from '@corridor/testkit/sim-world.ts'
import { describe, expect, it } from 'vitest'
import { dataKeyOf, newDataKeyText } from './data-keys.ts'
import { type Keyring, newInstallationKey } from './keyring.ts'
import { createKeys } from './keys.ts'
import { openBytes, type SealedColumn, sealBytes, sealFormer } from './sealing.ts'

const world = simWorld(1)
const book = { platformId: world.uuid(), environment: 'SANDBOX' } as const
const personal: SealedColumn = { table: 'people', column: 'personal', row: 'id', formerly: 'person {row}' }

/** Sealed for good: what is on record has to open with whatever packs texts later. */
const fixed = '00000000-0000-4000-8000-000000000001'
const packedOnce =
  '2.d77d5471860961267.R2XtaOck4rAJslonLzVs5ud1aN9J3Mtazz2OfCikNtx-L_p2K9T2oF09GgHKCduh7cnPRWttpjAlyQ.p1'

describe('a data key', () => {
  const freshKey = (opensFormer = false) => dataKeyOf(newDataKeyText(world), book, world, opensFormer)

  it('opens what it has sealed, and another text comes out every time', () => {
    const key = freshKey()
    const texts = ['', 'Ana Lopez', '{"name":"Zoë 田中"}', 'x'.repeat(10_000)]
    for (const text of texts) expect(key.open(personal, 'P1', key.seal(personal, 'P1', text))).toBe(text)
    expect(key.seal(personal, 'P1', 'Ana')).not.toBe(key.seal(personal, 'P1', 'Ana'))
  })

  it('packs the long texts of a column that says so, and opens those of before as well', () => {
    const key = freshKey()
    const plain: SealedColumn = { table: 'events', column: 'body', row: 'id' }
    const told: SealedColumn = { ...plain, isPacked: true }
    const usual = JSON.stringify({ id: 'E1', data: { status: 'PROCESSING', name: 'Zoë 田中'.repeat(40) } })
    for (const text of ['', '{}', usual, randomBytes(5_000).toString('hex'), '\u0001'.repeat(300)]) {
      const sealed = key.seal(told, 'E1', text)
      expect(key.open(told, 'E1', sealed)).toBe(text)
      expect(sealed.endsWith('.p2')).toBe(text.length >= 200)
      // Whether it was packed is sealed with it, and says nothing of the column.
      expect(key.open(told, 'E1', key.seal(plain, 'E1', text))).toBe(text)
      if (text.length < 200) continue
      expect(() => key.open(told, 'E1', sealed.slice(0, -3))).toThrow('authenticate')
      expect(() => key.open(told, 'E1', `${sealed.slice(0, -4)}.p2`)).toThrow('authenticate')
      expect(() => key.open(told, 'E1', `${sealed.slice(0, -3)}.p1`)).toThrow('authenticate')
    }
    expect(key.seal(told, 'E1', usual).length).toBeLessThan(usual.length / 2)
  })

  it('opens what was packed with DEFLATE', () => {
    const key = dataKeyOf(
      Buffer.alloc(32, 7).toString('base64'),
      { ...book, platformId: fixed },
      world,
      false,
    )
    const told: SealedColumn = { table: 'events', column: 'body', row: 'id' }
    expect(key.open(told, 'E1', packedOnce)).toBe(
      `{"id":"Webhook:1","type":"OUTGOING_PAYMENT.COMPLETED","data":{"customerId":"Customer:2","note":"${'n'.repeat(150)}"}}`,
    )
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
