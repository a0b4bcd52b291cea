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

interface Picture {
  readonly width: number
  readonly height: number
  readonly boxes: readonly { readonly state: string; readonly x: number; readonly y: number }[]
  /** The path of an arrow from one state to another. */
  readonly arrows: readonly { readonly key: string; readonly from: string; readonly path: string }[]
}

/** States in columns: each as many moves from the first as it takes at least. Those that nothing leads to stand first. */
export function pictureOf({ states, initial, moves }: Machine): Picture {
  const column = new Map<string, number>(initial.map((state) => [state, 0]))
  for (const [state, at] of column) {
    for (const { from, to } of moves) {
      if (from.includes(state) && !column.has(to)) column.set(to, at + 1)
    }
  }
  const filled = new Map<number, number>()
  const boxes = Object.keys(states).map((state) => {
    const at = column.get(state) ?? 0
    const row = filled.get(at) ?? 0
    filled.set(at, row + 1)
    return { state, x: 4 + at * (box.width + box.gapX), y: 4 + row * (box.height + box.gapY) }
  })
  const placed = new Map(boxes.map((each) => [each.state, each]))
  const arrows = new Map<string, { key: string; from: string; path: string }>()
  for (const { from, to } of moves) {
    for (const state of from) {
      const [a, b] = [placed.get(state), placed.get(to)]
      const key = `${state} ${to}`
      if (a && b && a !== b) arrows.set(key, { key, from: state, path: pathBetween(a, b) })
    }
  }
  const columns = Math.max(...filled.keys()) + 1
  const rows = Math.max(...filled.values())
  return {
    width: columns * (box.width + box.gapX) - box.gapX + 8 + 40,
    height: rows * (box.height + box.gapY) + 8,
    boxes,
    arrows: [...arrows.values()],
  }
}

interface Place {
  readonly x: number
  readonly y: number
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
