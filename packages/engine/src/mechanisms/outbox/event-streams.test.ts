import { silentLog } from '@corridor/kernel'
import { expect, it } from 'vitest'
import type { Book } from '../../vocabulary/scope.ts'
import { DatabaseUnavailable } from '../db/availability.ts'
import { createEventStreams, streamBounds } from './event-streams.ts'

const book: Book = { platformId: '0199dd6c-0000-7000-8000-000000000000', environment: 'SANDBOX' }

/** An outbox whose transactions are over when the test says so; each row is of the transaction with its number. */
function outbox() {
  const rows = new Map<bigint, boolean>()
  let looks = 0
  let isAway = false
  const row = (seq: bigint) => ({ id: `Webhook:${seq}`, seq, type: 'TEST', resourceId: 'r', createdAt: 0 })
  function snapshot() {
    const open = [...rows].filter(([, isCommitted]) => !isCommitted).map(([seq]) => seq)
    const next = BigInt(Math.max(0, ...[...rows.keys()].map(Number))) + 1n
    return { oldest: open.sort((a, b) => Number(a - b))[0] ?? next, next }
  }
  const visible = () => [...rows].filter(([, isCommitted]) => isCommitted).map(([seq]) => seq)
  const database = {
    server: () => '',
    whenDurable: () =>
      isAway ? Promise.reject(new DatabaseUnavailable('AWAY', 'no standby confirms')) : undefined,
    async read(_book: Book, { name }: { name: string }, [, , given, limit]: readonly unknown[] = []) {
      const seqs = visible().sort((a, b) => Number(a - b))
      if (name === 'eventStreams.position') {
        return seqs.filter((seq) => row(seq).id === given).map((seq) => ({ seq }))
      }
      looks++
      if (name === 'eventStreams.newest') {
        const last = seqs.at(-1)
        return [{ id: last === undefined ? null : row(last).id, seq: last ?? null, ...snapshot() }]
      }
      const news = seqs.filter((seq) => seq > (given as bigint)).slice(0, Number(limit))
      return news.map((seq) => ({ ...row(seq), ...snapshot() }))
    },
  }
  let now = 0
  let offsetMs = 0
  const sleepers: (() => void)[] = []
  const world = {
    now: () => now,
    log: silentLog,
    sleep: (_ms: number, signal?: AbortSignal) =>
      new Promise<void>((resolve) => {
        sleepers.push(resolve)
        signal?.addEventListener('abort', () => resolve(), { once: true })
      }),
  }
  return {
    streams: createEventStreams({
      database: database as never,
      clock: { offsetMs: async () => offsetMs },
      world: world as never,
    }),
    advance(ms: number) {
      offsetMs += ms
    },
    /** Whether the standby confirms what is visible. */
    set isAway(value: boolean) {
      isAway = value
    },
    /** Takes back what no standby has. */
    lose: (seq: bigint) => void rows.delete(seq),
    begin: (seq: bigint) => void rows.set(seq, false),
    commit: (...seqs: bigint[]) => {
      for (const seq of seqs) rows.set(seq, true)
    },
    get looks() {
      return looks
    },
    /** Lets it look `times` times. */
    async pass(ms: number, times = 3) {
      for (let time = 0; time < times; time++) {
        now += ms
        for (const wake of sleepers.splice(0)) wake()
        await new Promise(setImmediate)
      }
    },
  }
}

type Streams = ReturnType<typeof outbox>['streams']

function reader(streams: Streams, after?: string) {
  const stream = streams.open(book, after)!
  const frames: string[] = []
  stream.on('data', (chunk: Buffer) => {
    for (const frame of String(chunk).split('\n\n').filter(Boolean)) {
      const [, id = '-'] = /^id: Webhook:(.*)$/m.exec(frame) ?? []
      frames.push(`${/^event: (.*)$/m.exec(frame)![1]} ${id}`)
    }
  })
  return { stream, frames }
}

it('tells events in order, and none before all that could come before it is over', async () => {
  const { streams, begin, commit, pass } = outbox()
  commit(1n)
  const { frames } = reader(streams)
  await pass(100)
  expect(frames).toEqual(['ready 1'])
  begin(2n)
  commit(3n, 4n)
  await pass(100, 20)
  expect(frames).toEqual(['ready 1'])
  commit(2n)
  await pass(25)
  expect(frames).toEqual(['ready 1', 'event 2', 'event 3', 'event 4'])
})

it('begins only when what was under way is over, so that lists that are read then have it', async () => {
  const { streams, begin, commit, pass } = outbox()
  begin(1n)
  commit(2n)
  const { frames } = reader(streams)
  await pass(100, 10)
  expect(frames).toEqual([])
  commit(1n)
  await pass(25)
  expect(frames).toEqual(['ready 2'])
})

it('tells nothing that no standby has, and all of it once the standby is back', async () => {
  const box = outbox()
  box.commit(1n)
  const { frames } = reader(box.streams)
  await box.pass(100)
  box.isAway = true
  box.commit(2n)
  await box.pass(100, 10)
  expect(frames).toEqual(['ready 1'])
  box.isAway = false
  await box.pass(100, 5)
  expect(frames).toEqual(['ready 1', 'event 2'])
})

it('begins at no event that a failover may take back: another one may get its place', async () => {
  const box = outbox()
  box.isAway = true
  box.commit(1n, 2n)
  const { frames } = reader(box.streams)
  await box.pass(100, 10)
  expect(frames).toEqual([])
  box.lose(2n)
  box.isAway = false
  await box.pass(100, 5)
  box.commit(2n)
  await box.pass(100, 5)
  expect(frames).toEqual(['ready 1', 'event 2'])
})

it('tells whoever is there that the clock was moved, once', async () => {
  const { streams, commit, pass, advance } = outbox()
  commit(1n)
  const first = reader(streams)
  await pass(100)
  const texts: string[] = []
  first.stream.on('data', (chunk: Buffer) => texts.push(String(chunk)))
  advance(3_600_500)
  await pass(100)
  const second = reader(streams)
  await pass(100)
  expect(first.frames).toEqual(['ready 1', 'clock -'])
  expect(second.frames).toEqual(['ready 1'])
  expect(texts.join('')).toContain('"offsetSeconds":3600')
})

it('tells of no clock that a failover may take back', async () => {
  const box = outbox()
  box.commit(1n)
  const { frames } = reader(box.streams)
  await box.pass(100)
  box.isAway = true
  box.advance(60_000)
  await box.pass(100, 10)
  expect(frames).toEqual(['ready 1'])
  box.isAway = false
  await box.pass(100)
  expect(frames).toEqual(['ready 1', 'clock -'])
})

it('waits for no transaction longer than one of ours can last', async () => {
  const { streams, begin, commit, pass } = outbox()
  const { frames } = reader(streams)
  await pass(100)
  begin(1n)
  commit(2n)
  await pass(25)
  expect(frames).toEqual(['ready -'])
  await pass(60_000)
  expect(frames).toEqual(['ready -', 'event 2'])
})

it('goes on after the event that was told last, without one missing or double', async () => {
  const { streams, commit, pass } = outbox()
  commit(1n, 2n, 3n)
  const first = reader(streams)
  await pass(100)
  commit(4n)
  const again = reader(streams, 'Webhook:2')
  await pass(100)
  commit(5n)
  await pass(100)
  expect(again.frames.filter((frame) => frame.startsWith('event'))).toEqual(['event 3', 'event 4', 'event 5'])
  expect(first.frames).toEqual(['ready 3', 'event 4', 'event 5'])
})

it('says to whoever missed too much, or something that is not kept, that lists are to be read anew', async () => {
  const { streams, commit, pass } = outbox()
  commit(...Array.from({ length: streamBounds.missed + 2 }, (_, index) => BigInt(index + 1)))
  const [late, intime, unknown] = ['Webhook:1', 'Webhook:2', 'Webhook:none'].map((id) => reader(streams, id))
  await pass(100)
  const newest = streamBounds.missed + 2
  expect(late!.frames).toEqual([`resync ${newest}`])
  expect(unknown!.frames).toEqual([`resync ${newest}`])
  expect(intime!.frames).toHaveLength(streamBounds.missed + 1)
})

it('lets go whoever does not read, and keeps the others', async () => {
  const { streams, commit, pass } = outbox()
  const idle = streams.open(book, undefined)!
  const { frames } = reader(streams)
  await pass(100)
  const many = Array.from({ length: 4_000 }, (_, index) => BigInt(index + 1))
  commit(...many)
  await pass(100, 40)
  expect(idle.destroyed).toBe(true)
  expect(frames).toHaveLength(1 + many.length)
})

it('looks once for all of a book, and not at all while nobody reads', async () => {
  const box = outbox()
  const one = reader(box.streams)
  await box.pass(100, 10)
  const alone = box.looks
  const more = Array.from({ length: 10 }, () => reader(box.streams))
  await box.pass(100, 10)
  expect(box.looks - alone).toBeLessThan(15)
  for (const { stream } of [one, ...more]) stream.destroy()
  await box.pass(100, 3)
  const before = box.looks
  await box.pass(100, 10)
  expect(box.looks).toBe(before)
  expect(reader(box.streams).stream).toBeDefined()
})

it('opens no more than twenty of a book at a time', () => {
  const { streams } = outbox()
  for (let open = 0; open < streamBounds.ofBook; open++) expect(streams.open(book, undefined)).toBeDefined()
  expect(streams.open(book, undefined)).toBeUndefined()
  expect(streams.open({ ...book, environment: 'PRODUCTION' }, undefined)).toBeDefined()
})
