import { describe, expect, it } from 'vitest'
import { GatheredBytes, gatherBody } from './gathered-bytes.ts'

const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes)
const bytes = (value: string) => new TextEncoder().encode(value)

describe('gathered bytes', () => {
  it('hold pieces of one byte in one buffer of at most twice their size', () => {
    const gathered = new GatheredBytes(1_000_000)
    for (let index = 0; index < 300_000; index++) gathered.add(Uint8Array.of(index & 0xff))
    expect(gathered.size).toBe(300_000)
    expect(gathered.capacity).toBeLessThanOrEqual(600_000)
    expect(gathered.bytes()[255]).toBe(255)
  })

  it('keep what fits and say that something did not', () => {
    const gathered = new GatheredBytes(5)
    expect(gathered.add(bytes('abc'))).toBe(true)
    expect(gathered.isCut).toBe(false)
    expect(gathered.add(bytes('def'))).toBe(false)
    expect(gathered.add(bytes(''))).toBe(false)
    expect([text(gathered.bytes()), gathered.isCut, gathered.capacity]).toEqual(['abcde', true, 5])
  })

  it('are not changed by who sent a piece, and begin anew once they are taken', () => {
    const gathered = new GatheredBytes(10)
    const piece = bytes('one')
    gathered.add(piece)
    piece.fill(0)
    expect(text(gathered.take())).toBe('one')
    gathered.add(bytes('two'))
    expect(text(gathered.take())).toBe('two')
  })
})

describe('the body of a response', () => {
  it('without an end is read no further than it fits, and is left', async () => {
    let isLeft = false
    const endless = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(Uint8Array.of(0x61)),
      cancel: () => {
        isLeft = true
      },
    })
    const gathered = await gatherBody(new Response(endless), new GatheredBytes(1_000))
    expect([gathered.size, gathered.isCut, isLeft]).toEqual([1_000, true, true])
  })

  it('that breaks off rejects, and what had come is there', async () => {
    const pieces = [bytes('half')]
    const broken = new ReadableStream<Uint8Array>({
      pull(controller) {
        const piece = pieces.shift()
        if (piece) controller.enqueue(piece)
        else controller.error(new Error('gone'))
      },
    })
    const gathered = new GatheredBytes(1_000)
    await expect(gatherBody(new Response(broken), gathered)).rejects.toThrow('gone')
    expect(text(gathered.bytes())).toBe('half')
  })
})
