/**
 * How boxes in lanes are joined by lines with corners, as in the flow of a payment and between states. What goes to the next lane
 * runs through the room before it, what stays in a lane beside it, everything else below all boxes, each on a track of its own. What
 * is written along a line stands above a level part of it, where no other line comes; the room between two lanes is as wide as is
 * asked for by that.
 */

const margin = 8
/** Of a way below the boxes. */
const track = 24
/** Of a letter of the amounts: IBM Plex Mono of 12 pixels. */
const letter = 7.2
/** From the edge of a box to the first upright line beside it, and from that to the next. */
const beside = 12
const apart = 8
/** From an upright line to an amount. */
const air = 5

export interface Laned {
  readonly id: string
  readonly lane: number
}

export interface Joining {
  readonly from: string
  readonly to: string
  /** What is written along it. */
  readonly text: string
}

interface Point {
  readonly x: number
  readonly y: number
}

export interface Line {
  readonly path: string
  readonly labelX: number
  /** Of the feet of the letters. */
  readonly labelY: number
  readonly anchor: 'middle' | 'start'
}

export interface Layout {
  readonly width: number
  readonly height: number
  /** Of each box, its upper left corner. */
  readonly places: ReadonlyMap<string, Point>
  /** Of each joining, in the same order. */
  readonly lines: readonly Line[]
}

export const widthOf = (text: string) => text.length * letter

export interface Sizes {
  readonly box: { readonly width: number; readonly height: number }
  readonly rowGap: number
  /** The least room between two lanes. */
  readonly laneGap: number
  /** How lanes of fewer boxes than the longest stand. */
  readonly align: 'start' | 'center'
}

/** Lanes are numbered from 0 on, without a gap. */
export function layOut(boxes: readonly Laned[], joinings: readonly Joining[], sizes: Sizes): Layout {
  const { box, rowGap, laneGap, align } = sizes
  const laneOf = new Map(boxes.map(({ id, lane }) => [id, lane]))
  const lanes: string[][] = []
  for (const { id, lane } of boxes) {
    lanes[lane] ??= []
    lanes[lane].push(id)
  }
  const tallest = Math.max(...lanes.map(({ length }) => length))
  const step = box.height + rowGap
  const yOf = (id: string) => {
    const lane = lanes[laneOf.get(id)!]!
    const above = align === 'center' ? ((tallest - lane.length) * step) / 2 : 0
    return margin + rowGap / 2 + above + lane.indexOf(id) * step
  }
  const isLowest = (id: string) => lanes[laneOf.get(id)!]!.at(-1) === id
  const strides = joinings.map(({ from, to }) => laneOf.get(to)! - laneOf.get(from)!)
  const isUnder = (index: number) => strides[index] !== 0 && strides[index] !== 1
  const rowsBetween = ({ from, to }: Joining) => Math.abs(yOf(to) - yOf(from)) / step
  /** Within a lane, and past a box. */
  const isAround = (index: number) => strides[index] === 0 && rowsBetween(joinings[index]!) > 1

  const sides = sidesOf()
  const gaps = lanes.slice(1).map((_, lane) => gapAfter(lane))
  const starts = [margin]
  for (const gap of gaps) starts.push(starts.at(-1)! + box.width + gap.width)
  const places = new Map(boxes.map(({ id, lane }) => [id, { x: starts[lane]!, y: yOf(id) }]))
  const bottom = margin + rowGap / 2 + tallest * step - rowGap
  const under = tracksOf()
  const lines = joinings.map((joining, index) =>
    isUnder(index)
      ? under.lines.get(index)!
      : isAround(index)
        ? around(joining, index)
        : strides[index] === 0
          ? upright(joining)
          : level(joining, index),
  )
  return {
    width: starts.at(-1)! + box.width + sides.room('right', lanes.length - 1) + margin,
    height: bottom + rowGap / 2 + margin + (under.count > 0 ? rowGap + under.count * track : 0),
    places,
    lines,
  }

  /**
   * The upright lines right beside a box: of ways that pass a box of its lane, the shorter ones nearer, and of those below the boxes
   * that leave or enter it from its side, as others stand under it.
   */
  function sidesOf() {
    const taken = new Map<string, number>()
    const found = new Map<string, number>()
    const take = (id: string, side: 'left' | 'right', index: number) => {
      const place = `${side} ${laneOf.get(id)}`
      const count = taken.get(place) ?? 0
      taken.set(place, count + 1)
      found.set(`${id} ${index}`, count)
    }
    const all = joinings.map((joining, index) => ({ ...joining, index }))
    for (const { from, index } of all
      .filter(({ index }) => isAround(index))
      .sort((one, other) => rowsBetween(one) - rowsBetween(other))) {
      take(from, 'right', index)
    }
    for (const { from, to, index } of all.filter(({ index }) => isUnder(index))) {
      const isBack = strides[index]! < 0
      if (!isLowest(from)) take(from, isBack ? 'left' : 'right', index)
      if (!isLowest(to)) take(to, isBack ? 'right' : 'left', index)
    }
    const room = (side: 'left' | 'right', lane: number) => {
      const count = taken.get(`${side} ${lane}`) ?? 0
      const hanging = side === 'right' ? overhang(lane) : 0
      return count === 0 ? hanging : hanging + beside + (count - 1) * apart
    }
    return { nth: (id: string, index: number) => found.get(`${id} ${index}`)!, room }
  }

  /** How far amounts at upright lines reach beyond the boxes of a lane. */
  function overhang(lane: number) {
    const here = joinings.filter(
      ({ from, text }, index) => strides[index] === 0 && laneOf.get(from) === lane && text !== '',
    )
    return Math.max(0, ...here.map(({ text }) => beside + apart + widthOf(text) - box.width))
  }

  /** The room after a lane: its width, where in it amounts stand, and where its lines turn. */
  function gapAfter(lane: number) {
    const here = joinings.flatMap((joining, index) =>
      strides[index] === 1 && laneOf.get(joining.from) === lane ? [{ ...joining, index }] : [],
    )
    const bent = here.filter(({ from, to }) => yOf(from) !== yOf(to))
    const isFan = here.some(({ from, index }) =>
      here.some((each) => each.from === from && each.index !== index),
    )
    // One upright line for each box that its ends part from, or else come together at.
    const turning = [...new Set(bent.map(({ from, to }) => (isFan ? from : to)))]
    const lines = turning.length === 0 ? 0 : beside + (turning.length - 1) * apart
    const first = sides.room('right', lane)
    const left = first + (isFan ? lines : 0)
    const right = sides.room('left', lane + 1) + (isFan ? 0 : lines)
    const longest = Math.max(0, ...here.map(({ text }) => widthOf(text)))
    // Those from this lane to the next have half a box besides.
    const below = joinings.flatMap(({ from, to, text }, index) =>
      isUnder(index) &&
      Math.min(laneOf.get(from)!, laneOf.get(to)!) === lane &&
      Math.abs(strides[index]!) === 1
        ? [widthOf(text) + 2 * beside - box.width / 2]
        : [],
    )
    const width = Math.ceil(Math.max(laneGap, longest + left + right + 2 * air, ...below))
    const turn = (of: string) => {
      const nth = turning.indexOf(of) * apart + beside
      return isFan ? first + nth : width - sides.room('left', lane + 1) - nth
    }
    return { here, isFan, turn, width, middle: left + (width - left - right) / 2 }
  }

  /**
   * How far below the middle of its box a line ends. Where all part at their beginnings those that end at one box enter it one below
   * the other, and one alone beside the middle where another one begins that high: the two would be one for a while.
   */
  function entryOf(here: readonly (Joining & { index: number })[], isFan: boolean, index: number) {
    const { from, to } = joinings[index]!
    if (!isFan) return 0
    const into = here.filter((each) => each.to === to)
    const isMet = here.some((each) => each.from !== from && yOf(each.from) === yOf(to))
    if (into.length === 1 && isMet) return Math.sign(yOf(from) - yOf(to)) * 9
    const nth = into.findIndex((each) => each.index === index) - (into.length - 1) / 2
    return nth * Math.min(18, (box.height - 12) / Math.max(1, into.length - 1))
  }

  /** To the next lane: level, or up or down once on the way. */
  function level({ from, to }: Joining, index: number): Line {
    const gap = gaps[laneOf.get(from)!]!
    const [a, b] = [places.get(from)!, places.get(to)!]
    const [x1, x2] = [a.x + box.width, b.x]
    const [y1, y2] = [a.y + box.height / 2, b.y + box.height / 2 + entryOf(gap.here, gap.isFan, index)]
    const x = x1 + gap.turn(gap.isFan ? from : to)
    return {
      path: y1 === y2 ? `M${x1} ${y1}H${x2}` : `M${x1} ${y1}H${x}V${y2}H${x2}`,
      labelX: x1 + gap.middle,
      labelY: (gap.isFan ? y2 : y1) - 6,
      anchor: 'middle',
    }
  }

  /** To the next box of the same lane: down near its beginning, up near its end. */
  function upright({ from, to }: Joining): Line {
    const [a, b] = [places.get(from)!, places.get(to)!]
    const isDown = a.y < b.y
    const x = isDown ? a.x + beside : a.x + box.width - beside
    const [y1, y2] = isDown ? [a.y + box.height, b.y] : [a.y, b.y + box.height]
    return { path: `M${x} ${y1}V${y2}`, labelX: x + apart, labelY: (y1 + y2) / 2 + 4, anchor: 'start' }
  }

  /** To one further on in the same lane: it leaves below the middle of its box, and enters the other above it. */
  function around({ from, to }: Joining, index: number): Line {
    const [a, b] = [places.get(from)!, places.get(to)!]
    const x = a.x + box.width
    const away = x + overhang(laneOf.get(from)!) + beside + sides.nth(from, index) * apart
    const [y1, y2] = [a.y + box.height / 2 + 8, b.y + box.height / 2 - 8]
    return {
      path: `M${x} ${y1}H${away}V${y2}H${x}`,
      labelX: away + air,
      labelY: (y1 + y2) / 2 + 4,
      anchor: 'start',
    }
  }

  /** Below all boxes. What lies within another way lies above it, so that the two never cross. */
  function tracksOf() {
    const ways = joinings.flatMap((joining, index) => (isUnder(index) ? [{ ...joining, index }] : []))
    /** Where an end of a way is, but for its place among others. */
    const about = (id: string, isRight: boolean) =>
      places.get(id)!.x + (isLowest(id) ? 0.5 : isRight ? 1 : 0) * box.width
    const portOf = (id: string, index: number) => {
      const place = places.get(id)!
      const isBack = strides[index]! < 0
      const isRight = ways.find((way) => way.index === index)!.from === id ? !isBack : isBack
      if (!isLowest(id)) {
        const away = (isRight ? overhang(laneOf.get(id)!) : 0) + beside + sides.nth(id, index) * apart
        const edge = isRight ? place.x + box.width : place.x
        return {
          x: edge + (isRight ? away : -away),
          start: { x: edge, y: place.y + box.height / 2 + 14 },
        }
      }
      const awayOf = (way: (typeof ways)[number]) =>
        (way.from === id
          ? about(way.to, strides[way.index]! < 0)
          : about(way.from, strides[way.index]! > 0)) - about(id, true)
      // Those to the left before those to the right; of the former the nearest first, of the latter last.
      const ends = ways
        .filter((way) => way.from === id || way.to === id)
        .sort(
          (one, other) =>
            Math.sign(awayOf(one)) - Math.sign(awayOf(other)) ||
            awayOf(other) - awayOf(one) ||
            Math.sign(awayOf(one)) * (other.index - one.index),
        )
      const nth = ends.findIndex((way) => way.index === index) + 1
      const x = place.x + (box.width * nth) / (ends.length + 1)
      return { x, start: { x, y: place.y + box.height } }
    }
    const drawn = ways.map(({ from, to, index }) => {
      const [out, into] = [portOf(from, index), portOf(to, index)]
      return { index, out, into, low: Math.min(out.x, into.x), high: Math.max(out.x, into.x) }
    })
    const tracks = new Map<number, number>()
    for (const way of drawn.toSorted((a, b) => a.high - a.low - (b.high - b.low))) {
      const over = drawn.filter(
        (each) => tracks.has(each.index) && each.high >= way.low - apart && each.low <= way.high + apart,
      )
      tracks.set(way.index, Math.max(-1, ...over.map(({ index }) => tracks.get(index)!)) + 1)
    }
    const lines = new Map(
      drawn.map(({ index, out, into, low, high }) => {
        const y = bottom + rowGap + tracks.get(index)! * track
        const begin = out.start.x === out.x ? '' : `H${out.x}`
        const end = into.start.x === into.x ? `V${into.start.y}` : `V${into.start.y}H${into.start.x}`
        const path = `M${out.start.x} ${out.start.y}${begin}V${y}H${into.x}${end}`
        return [index, { path, labelX: (low + high) / 2, labelY: y - 5, anchor: 'middle' } as const]
      }),
    )
    return { lines, count: Math.max(-1, ...tracks.values()) + 1 }
  }
}
