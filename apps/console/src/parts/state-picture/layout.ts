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

export const box = { width: 216, height: 36, gapX: 56, gapY: 24 }

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
  const column = stepsTo(machine)
  const filled = new Map<number, number>()
  const boxes = Object.keys(machine.states).map((state) => {
    const at = column.get(state) ?? 0
    const row = filled.get(at) ?? 0
    filled.set(at, row + 1)
    return { state, x: 4 + at * (box.width + box.gapX), y: 4 + row * (box.height + box.gapY) }
  })
  const columns = Math.max(...filled.keys()) + 1
  const rows = Math.max(...filled.values())
  return {
    width: columns * (box.width + box.gapX) - box.gapX + 8 + 40,
    height: rows * (box.height + box.gapY) + 8,
    boxes,
    arrows: arrowsOf(machine, boxes, pathBetween),
  }
}

/** What the arrows of a tall picture have room for, on the left and on the right of its boxes. */
const sides = { left: 44, right: 56 }

/** The same for a phone: one state below the other, those that come sooner first; on around the right, back around the left. */
export function tallPictureOf(machine: Machine): Picture {
  const steps = stepsTo(machine)
  const order = Object.keys(machine.states).sort((a, b) => (steps.get(a) ?? 0) - (steps.get(b) ?? 0))
  const boxes = order.map((state, row) => ({ state, x: sides.left, y: 4 + row * (box.height + box.gapY) }))
  return {
    width: sides.left + box.width + sides.right,
    height: boxes.length * (box.height + box.gapY) - box.gapY + 8,
    boxes,
    arrows: arrowsOf(machine, boxes, pathAround),
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

function arrowsOf(
  { moves }: Machine,
  boxes: Picture['boxes'],
  pathOf: (a: Place, b: Place) => string,
): Picture['arrows'] {
  const placed = new Map(boxes.map((each) => [each.state, each]))
  const arrows = new Map<string, { key: string; from: string; path: string }>()
  for (const { from, to } of moves) {
    for (const state of from) {
      const [a, b] = [placed.get(state), placed.get(to)]
      const key = `${state} ${to}`
      if (a && b && a !== b) arrows.set(key, { key, from: state, path: pathOf(a, b) })
    }
  }
  return [...arrows.values()]
}

/** To the right out of the side; within a column around its right side; back to the left from below. */
function pathBetween(a: Place, b: Place): string {
  const middle = box.height / 2
  if (b.x > a.x) {
    const [x1, y1, x2, y2] = [a.x + box.width, a.y + middle, b.x, b.y + middle]
    const bend = (x2 - x1) / 2
    return `M${x1} ${y1}C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2 - 2} ${y2}`
  }
  if (b.x === a.x) {
    const x = a.x + box.width
    return `M${x} ${a.y + middle}C${x + 36} ${a.y + middle} ${x + 36} ${b.y + middle} ${x + 2} ${b.y + middle}`
  }
  const [x1, y1, x2, y2] = [a.x + box.width / 2, a.y + box.height, b.x + box.width / 2 + 20, b.y + box.height]
  return `M${x1} ${y1}C${x1} ${y1 + box.gapY} ${x2} ${y2 + box.gapY} ${x2} ${y2 + 2}`
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
