import { simWorld } from '@corridor/testkit/index.ts'
import { describe, expect, it } from 'vitest'
import { newSealedKey, openDataKey } from './data-keys.ts'
import { openBytes, sealBytes } from './sealing.ts'

const world = simWorld(1)
const master = new Uint8Array(32).fill(7)
const freshKey = () => openDataKey(newSealedKey(master, world), master, world)

describe('a data key', () => {
  it('opens what it has sealed, and another text comes out every time', () => {
    const key = freshKey()
    const texts = ['', 'Ana Lopez', '{"name":"Zoë 田中"}', 'x'.repeat(10_000)]
    for (const text of texts) expect(key.open('customer', key.seal('customer', text))).toBe(text)
    expect(key.seal('customer', 'Ana')).not.toBe(key.seal('customer', 'Ana'))
  })

  it('opens nothing in another place, nothing of another owner, and nothing that was changed', () => {
    const key = freshKey()
    const sealed = key.seal('customer', 'Ana Lopez')
    expect(() => key.open('message', sealed)).toThrow()
    expect(() => freshKey().open('customer', sealed)).toThrow()
    const changed = Buffer.from(sealed, 'base64url')
    changed[changed.length - 1]! ^= 1
    expect(() => key.open('customer', changed.toString('base64url'))).toThrow()
    expect(() => key.open('customer', sealed.slice(0, -8))).toThrow()
  })

  it('opens with the right master key alone', () => {
    const sealedKey = newSealedKey(master, world)
    expect(() => openDataKey(sealedKey, new Uint8Array(32).fill(8), world)).toThrow()
  })
})

it('bytes are sealed as they are', () => {
  const bytes = new Uint8Array([0, 255, 128, 10])
  const sealed = sealBytes(bytes, master, world)
  expect([...openBytes(sealed, master)]).toEqual([...bytes])
  expect(Buffer.from(sealed).includes(Buffer.from(bytes))).toBe(false)
})
