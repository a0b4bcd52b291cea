import { layOut } from '../boxes-and-lines.ts'

/** A state machine of the engine, as far as a picture tells it. */
export interface Machine {
  readonly states: Readonly<Record<string, string>>
  readonly initial: readonly string[]
  readonly moves: readonly {
    readonly from: readonly string[]
    readonly on: string
    readonly to: string
    readonly why: string
  }[]
}

/** A picture that is wider than its room is drawn smaller, and no smaller than by this. */
export const leastScale = 0.86

export const box = { width: 196, height: 36, gapY: 24 }

export interface Picture {
  readonly width: number
  readonly height: number
  readonly boxes: readonly { readonly state: string; readonly x: number; readonly y: number }[]
  /** The path of an arrow from one state to another. */
  readonly arrows: readonly { readonly key: string; readonly from: string; readonly path: string }[]
}

interface Place {
  readonly x: number
  readonly y: number
}

/** States in columns: each as many moves from the first as it takes at least. Those that nothing leads to stand first. */
export function pictureOf(machine: Machine): Picture {
  const steps = stepsTo(machine)
  const states = Object.keys(machine.states).map((id) => ({ id, lane: steps.get(id) ?? 0 }))
  const joined = joinedOf(machine)
  const { width, height, places, lines } = layOut(
    states,
    joined.map((each) => ({ ...each, text: '' })),
    { box, rowGap: box.gapY, laneGap: 48, align: 'start' },
  )
  return {
    width,
    height,
    boxes: states.map(({ id }) => ({ state: id, ...places.get(id)! })),
    arrows: joined.map(({ from, to }, index) => ({ key: `${from} ${to}`, from, path: lines[index]!.path })),
  }
}

/** What the arrows of a tall picture have room for, on the left and on the right of its boxes. */
const sides = { left: 36, right: 44 }

/** The same for a phone: one state below the other, those that come sooner first; on around the right, back around the left. */
export function tallPictureOf(machine: Machine): Picture {
  const steps = stepsTo(machine)
  const order = Object.keys(machine.states).sort((a, b) => (steps.get(a) ?? 0) - (steps.get(b) ?? 0))
  const boxes = order.map((state, row) => ({ state, x: sides.left, y: 4 + row * (box.height + box.gapY) }))
  return {
    width: sides.left + box.width + sides.right,
    height: boxes.length * (box.height + box.gapY) - box.gapY + 8,
    boxes,
    arrows: arrowsOf(machine, boxes),
  }
}

/** How many moves it takes at least from a first state; one that may begin so, but comes after another such, is none. */
function stepsTo({ initial, moves }: Machine): ReadonlyMap<string, number> {
  const later = new Set(
    moves
      .filter(({ from, to }) => from.some((state) => state !== to && initial.includes(state)))
      .map(({ to }) => to),
  )
  const first = initial.filter((state) => !later.has(state))
  const steps = new Map<string, number>((first.length > 0 ? first : initial).map((state) => [state, 0]))
  for (const [state, at] of steps) {
    for (const { from, to } of moves) {
      if (from.includes(state) && !steps.has(to)) steps.set(to, at + 1)
    }
  }
  return steps
}

/** Each pair of states of which one leads to the other, once. */
function joinedOf({ moves, states }: Machine): { from: string; to: string }[] {
  const joined = new Map<string, { from: string; to: string }>()
  for (const { from, to } of moves) {
    for (const state of from) {
      if (state !== to && state in states && to in states) joined.set(`${state} ${to}`, { from: state, to })
    }
  }
  return [...joined.values()]
}

function arrowsOf(machine: Machine, boxes: Picture['boxes']): Picture['arrows'] {
  const placed = new Map(boxes.map((each) => [each.state, each]))
  return joinedOf(machine).map(({ from, to }) => ({
    key: `${from} ${to}`,
    from,
    path: pathAround(placed.get(from)!, placed.get(to)!),
  }))
}

/** Straight down to the next one; else around a side, the further the wider, and never out of the picture. */
function pathAround(a: Place, b: Place): string {
  const rows = Math.round((b.y - a.y) / (box.height + box.gapY))
  const middle = a.x + box.width / 2
  if (rows === 1) return `M${middle} ${a.y + box.height}L${middle} ${b.y - 2}`
  // It leaves below the middle and ends above it, so that what comes and what goes are told apart.
  const [y1, y2] = [a.y + box.height * 0.65, b.y + box.height * 0.35]
  const isDown = rows > 0
  const x = isDown ? a.x + box.width : a.x
  const side = isDown ? sides.right : -sides.left
  // A curve reaches three quarters of the way to its handles.
  const handle = x + side * Math.min(1.2, 0.3 + 0.2 * Math.abs(rows))
  return `M${x} ${y1}C${handle} ${y1} ${handle} ${y2} ${x + (isDown ? 2 : -2)} ${y2}`
}
