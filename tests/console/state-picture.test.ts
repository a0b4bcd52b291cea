import { describe, expect, it } from 'vitest'
import { machines } from '../../apps/console/src/generated/machines.ts'
import {
  box,
  leastScale,
  type Machine,
  type Picture,
  pictureOf,
  tallPictureOf,
} from '../../apps/console/src/parts/state-picture/layout.ts'

/** What a page has room for on a phone of 360: its frame and its edges take the rest. */
const room = 324
/** The same on a screen of 1280. */
const wideRoom = 1_044

/** Points along an arrow: a line, one with corners, or a curve with two handles. */
function pointsOf(path: string): Point[] {
  if (/[VH]/.test(path)) return cornersOf(path)
  const numbers = path.match(/-?\d+(\.\d+)?/g)!.map(Number)
  const ends = Array.from({ length: numbers.length / 2 }, (_, at) => ({
    x: numbers[2 * at]!,
    y: numbers[2 * at + 1]!,
  }))
  if (ends.length === 2) return ends
  const [a, b, c, d] = ends as [Point, Point, Point, Point]
  const at = (t: number, name: 'x' | 'y') =>
    (1 - t) ** 3 * a[name] +
    3 * (1 - t) ** 2 * t * b[name] +
    3 * (1 - t) * t ** 2 * c[name] +
    t ** 3 * d[name]
  return Array.from({ length: 21 }, (_, step) => ({ x: at(step / 20, 'x'), y: at(step / 20, 'y') }))
}
type Point = { readonly x: number; readonly y: number }

/** Where an arrow of level and upright lines turns. */
function cornersOf(path: string): Point[] {
  const corners: Point[] = []
  for (const [, letter, first, second] of path.matchAll(/([MVH])(-?[\d.]+)(?: (-?[\d.]+))?/g)) {
    const { x, y } = corners.at(-1) ?? { x: 0, y: 0 }
    if (letter === 'M') corners.push({ x: Number(first), y: Number(second) })
    else corners.push(letter === 'H' ? { x: Number(first), y } : { x, y: Number(first) })
  }
  return corners
}

/** Whether two lines with corners lie on one another for more than a point. */
function shareStretch(one: readonly Point[], other: readonly Point[]): boolean {
  const stretches = (points: readonly Point[]) =>
    points.slice(1).map((b, index) => [points[index]!, b] as const)
  const overlap = (a: readonly number[], b: readonly number[]) =>
    Math.min(Math.max(...a), Math.max(...b)) - Math.max(Math.min(...a), Math.min(...b))
  return stretches(one).some(([a, b]) =>
    stretches(other).some(([c, d]) => {
      const xs = overlap([a.x, b.x], [c.x, d.x])
      const ys = overlap([a.y, b.y], [c.y, d.y])
      return (
        (xs === 0 && ys > 0 && a.x === b.x && c.x === d.x) ||
        (ys === 0 && xs > 0 && a.y === b.y && c.y === d.y)
      )
    }),
  )
}

function expectWhole({ width, height, boxes, arrows }: Picture): void {
  const points = [
    ...boxes.flatMap(({ x, y }) => [
      { x, y },
      { x: x + box.width, y: y + box.height },
    ]),
    ...arrows.flatMap(({ path }) => pointsOf(path)),
  ]
  for (const { x, y } of points) {
    expect(x).toBeGreaterThanOrEqual(0)
    expect(x).toBeLessThanOrEqual(width)
    expect(y).toBeGreaterThanOrEqual(0)
    expect(y).toBeLessThanOrEqual(height)
  }
  const places = boxes.map(({ x, y }) => `${x} ${y}`)
  expect(new Set(places).size).toBe(boxes.length)
}

describe.each(Object.entries(machines as Readonly<Record<string, Machine>>))(
  'the states of a %s',
  (_, machine) => {
    it('are whole on a phone, each once, with every move between two of them', () => {
      const tall = tallPictureOf(machine)
      expect(tall.width).toBeLessThanOrEqual(room)
      expectWhole(tall)
      expect(tall.boxes.map(({ state }) => state).sort()).toEqual(Object.keys(machine.states).sort())
      expect(tall.arrows.map(({ key }) => key).sort()).toEqual(
        pictureOf(machine)
          .arrows.map(({ key }) => key)
          .sort(),
      )
    })

    it('are whole where there is room, and no arrow runs behind a state', () => {
      const picture = pictureOf(machine)
      expect(picture.width * leastScale).toBeLessThanOrEqual(wideRoom)
      expectWhole(picture)
      const behind = picture.arrows.flatMap(({ key, path }) => {
        const points = pointsOf(path)
        return picture.boxes.flatMap(({ state, x, y }) => {
          const isBehind = points.slice(1).some((b, index) => {
            const a = points[index]!
            return (
              Math.max(a.x, b.x) > x &&
              Math.min(a.x, b.x) < x + box.width &&
              Math.max(a.y, b.y) > y &&
              Math.min(a.y, b.y) < y + box.height
            )
          })
          return isBehind ? [`${key} behind ${state}`] : []
        })
      })
      expect(behind).toEqual([])
      expect(new Set(picture.arrows.map(({ path }) => path)).size).toBe(picture.arrows.length)
    })

    it('are joined by arrows of which no two run along one another but from one state, or into one', () => {
      const picture = pictureOf(machine)
      const moves = picture.arrows.map(({ key, path }) => ({ ends: key.split(' '), points: cornersOf(path) }))
      const along = moves.flatMap((one, index) =>
        moves.slice(index + 1).flatMap((other) => {
          const isApart = one.ends[0] !== other.ends[0] && one.ends[1] !== other.ends[1]
          return isApart && shareStretch(one.points, other.points) ? [`${one.ends} along ${other.ends}`] : []
        }),
      )
      expect(along).toEqual([])
    })

    it('stand in a later column where they come after one that may be the first', () => {
      const { boxes } = pictureOf(machine)
      const isFirst = (name: string) =>
        boxes.find(({ state }) => state === name)!.x === Math.min(...boxes.map(({ x }) => x))
      const before = ({ from, to }: Machine['moves'][number]) =>
        machine.initial.includes(to) ? from.filter((state) => machine.initial.includes(state)) : []
      const isAlone = (name: string) =>
        !machine.moves.some((move) => move.to === name && before(move).some((state) => state !== name))
      // Where each comes after another one all are first.
      if (!machine.initial.some(isAlone)) return
      expect(machine.initial.filter((name) => isFirst(name) && !isAlone(name))).toEqual([])
    })

    it('have no two arrows on one another', () => {
      const { arrows } = tallPictureOf(machine)
      expect(new Set(arrows.map(({ path }) => path)).size).toBe(arrows.length)
    })
  },
)
