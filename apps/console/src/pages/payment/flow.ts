import { t } from '../../language/t.ts'
import type { Explanation } from '../../parts/explanation/use-explanation.ts'

/** Where the money of a payment went, as a picture: what each ledger account gave and took, in fixed lanes. */

type Journal = Explanation['journals'][number]
type Posting = Journal['postings'][number]

export interface FlowPosting extends Posting {
  readonly journal: string
  readonly step: string
}

export interface FlowNode {
  /** A ledger account, or `fx` for the positions of all currencies. */
  readonly id: string
  readonly kind: string
  /** What it is, in a word or two. */
  readonly label: string
  /** Whose, or of which currency. */
  readonly detail: string
  readonly lane: number
  readonly x: number
  readonly y: number
  readonly postings: readonly FlowPosting[]
}

export interface FlowEdge {
  readonly key: string
  readonly from: string
  readonly to: string
  readonly amount: bigint
  readonly currency: string
  /** Held, and not moved. */
  readonly isHeld: boolean
  readonly path: string
  readonly labelX: number
  readonly labelY: number
}

export interface Flow {
  readonly width: number
  readonly height: number
  readonly nodes: readonly FlowNode[]
  readonly edges: readonly FlowEdge[]
}

export const flowBox = { width: 118, height: 44 } as const
const gap = { x: 104, y: 30 } as const
const margin = 8
/** More is no picture any more; the table has them all. */
export const mostNodes = 40

const labels: Readonly<Record<string, string>> = {
  avail: t('Account'),
  pend: t('Under review'),
  txn: t('Clearing'),
  refund: t('Refund payable'),
  pfee: t('Platform fee, held'),
  fx: `◆ ${t('Exchange')}`,
  fee: t('Service fee'),
  cpfee: t('Fee passed on'),
  netfee: t('Network fee'),
  rail: t('Rail'),
  susp: t('Suspense'),
  recv: t('Owed to the service'),
  cpty: t('Other institution'),
  ln: t('Lightning'),
  loss: t('Written off'),
}

const feeKinds: ReadonlySet<string> = new Set(['fee', 'cpfee', 'netfee', 'pfee', 'loss'])
const lanes = { source: 0, sending: 1, middle: 2, receiving: 3, destination: 4 } as const

/** The nodes and edges of what was posted; undefined where nothing was, or too much for a picture. */
export function flowOf(journals: readonly Journal[]): Flow | undefined {
  const postings = journals.flatMap(({ id, step, postings }) =>
    // A hold that ends moves nothing by that: what it becomes is posted.
    postings
      .filter(({ kind }) => kind !== 'VOID_PENDING')
      .map((posting) => ({ ...posting, journal: id, step })),
  )
  if (postings.length === 0) return undefined
  const names = [...new Set(postings.flatMap(({ from, to }) => [nodeOf(from), nodeOf(to)]))]
  if (names.length > mostNodes) return undefined
  const first = postings.find(({ from }) => !isWithin(kindOf(from)))
  const sending = postings[0]!.value.currency
  const laneOf = (id: string): number => {
    const kind = kindOf(id)
    if (kind === 'fx' || feeKinds.has(kind)) return lanes.middle
    if (kind === 'txn') return id.endsWith(`:${sending}`) ? lanes.sending : lanes.receiving
    if (kind === 'refund') return lanes.sending
    return first && nodeOf(first.from) === id ? lanes.source : lanes.destination
  }
  const inLane = new Map<number, string[]>()
  for (const name of names) {
    const lane = laneOf(name)
    inLane.set(lane, [...(inLane.get(lane) ?? []), name])
  }
  const used = [...inLane.keys()].sort((a, b) => a - b)
  const tallest = Math.max(...[...inLane.values()].map((each) => each.length))
  const nodes = names.map((id): FlowNode => {
    const lane = laneOf(id)
    const others = inLane.get(lane)!
    const column = used.indexOf(lane)
    const top = ((tallest - others.length) * (flowBox.height + gap.y)) / 2
    return {
      id,
      kind: kindOf(id),
      label: labels[kindOf(id)] ?? kindOf(id),
      detail: detailOf(id),
      lane: column,
      x: margin + column * (flowBox.width + gap.x),
      y: margin + gap.y / 2 + top + others.indexOf(id) * (flowBox.height + gap.y),
      postings: postings.filter(({ from, to }) => nodeOf(from) === id || nodeOf(to) === id),
    }
  })
  const height = 2 * margin + tallest * (flowBox.height + gap.y)
  const edges = edgesOf(postings, new Map(nodes.map((node) => [node.id, node])))
  const isBack = edges.some(({ isBackwards }) => isBackwards)
  return {
    width: 2 * margin + used.length * flowBox.width + (used.length - 1) * gap.x,
    height: height + (isBack ? gap.y + 16 * edges.filter(({ isBackwards }) => isBackwards).length : 0),
    nodes,
    edges,
  }
}

function edgesOf(postings: readonly FlowPosting[], nodes: ReadonlyMap<string, FlowNode>) {
  const sums = new Map<string, Pick<FlowEdge, 'from' | 'to' | 'amount' | 'currency' | 'isHeld'>>()
  for (const { from, to, value, kind } of postings) {
    const isHeld = kind === 'PENDING'
    // What was held is drawn as what it came to.
    const isPosted = postings.some(
      (each) => each.kind === 'POST_PENDING' && each.from === from && each.to === to,
    )
    if (isHeld && isPosted) continue
    const key = `${nodeOf(from)} ${nodeOf(to)} ${value.currency} ${isHeld}`
    const amount = (sums.get(key)?.amount ?? 0n) + BigInt(value.amount)
    sums.set(key, { from: nodeOf(from), to: nodeOf(to), amount, currency: value.currency, isHeld })
  }
  const between = new Map<string, number>()
  let back = 0
  return [...sums].map(([key, edge]) => {
    const pair = [edge.from, edge.to].sort().join(' ')
    const nth = between.get(pair) ?? 0
    between.set(pair, nth + 1)
    const [from, to] = [nodes.get(edge.from)!, nodes.get(edge.to)!]
    // Each way back lies a little lower than the one before it, so that none covers another's amount.
    return { key, ...edge, ...lineOf(from, to, from.lane > to.lane ? back++ : nth) }
  })
}

/** From side to side; back again below, so that it covers nothing that goes forward. */
function lineOf(from: FlowNode, to: FlowNode, nth: number) {
  const offset = nth * 16
  const [startY, endY] = [from.y + flowBox.height / 2 + offset, to.y + flowBox.height / 2 + offset]
  if (from.lane < to.lane) {
    const [startX, endX] = [from.x + flowBox.width, to.x]
    const bend = Math.min(40, (endX - startX) / 2)
    return {
      path: `M${startX} ${startY}C${startX + bend} ${startY} ${endX - bend} ${endY} ${endX} ${endY}`,
      labelX: endX - gap.x / 2,
      // Past a lane between them the label stands before its end.
      labelY: (to.lane - from.lane > 1 ? endY : (startY + endY) / 2) - 6,
      isBackwards: false,
    }
  }
  if (from.lane === to.lane) {
    const x = from.x + flowBox.width / 2 + offset
    const isDown = from.y < to.y
    const [start, end] = isDown ? [from.y + flowBox.height, to.y] : [from.y, to.y + flowBox.height]
    return {
      path: `M${x} ${start}L${x} ${end}`,
      labelX: x,
      labelY: (start + end) / 2 + 4,
      isBackwards: false,
    }
  }
  const [startX, endX] = [from.x + flowBox.width / 3, to.x + (flowBox.width * 2) / 3]
  const [down, up] = [from.y + flowBox.height, to.y + flowBox.height]
  const low = Math.max(down, up) + gap.y + offset
  return {
    path: `M${startX} ${down}C${startX} ${low} ${endX} ${low} ${endX} ${up}`,
    labelX: (startX + endX) / 2,
    labelY: low - 4,
    isBackwards: true,
  }
}

/** The node that the arrow key leads to: along the money, or up and down a lane. */
export function neighbourOf(flow: Flow, id: string, key: string): string | undefined {
  const here = flow.nodes.find((node) => node.id === id)
  if (!here) return undefined
  const inLane = flow.nodes.filter(({ lane }) => lane === here.lane).sort((a, b) => a.y - b.y)
  const at = inLane.indexOf(here)
  if (key === 'ArrowUp') return inLane[at - 1]?.id
  if (key === 'ArrowDown') return inLane[at + 1]?.id
  if (key === 'Home') return flow.nodes[0]!.id
  if (key === 'End') return flow.nodes.at(-1)!.id
  const step = key === 'ArrowRight' ? 1 : key === 'ArrowLeft' ? -1 : 0
  if (step === 0) return undefined
  const ofMoney = flow.edges.flatMap(({ from, to }) => (from === id ? [to] : to === id ? [from] : []))
  const beside = flow.nodes.filter(({ lane }) => lane === here.lane + step)
  const nearest = beside.sort((a, b) => Math.abs(a.y - here.y) - Math.abs(b.y - here.y))
  return (nearest.find((node) => ofMoney.includes(node.id)) ?? nearest[0])?.id
}

/** Part of a payment, neither its beginning nor its end. */
function isWithin(kind: string): boolean {
  return kind === 'txn' || kind === 'fx' || kind === 'refund' || feeKinds.has(kind)
}

export const kindOf = (id: string) => (id.includes(':') ? id.slice(0, id.indexOf(':')) : id)

/** The positions of all currencies are one exchange. */
export const nodeOf = (account: string) => (kindOf(account) === 'fx' ? 'fx' : account)

/** `avail:InternalAccount:…e85` → its end; others by what stands last: a currency, a rail. */
function detailOf(id: string): string {
  const rest = id.slice(id.indexOf(':') + 1)
  if (rest === id) return ''
  const parts = rest.split(':')
  if (parts[0] === 'InternalAccount' && parts[1]) return `…${parts[1].slice(-6)}`
  const named = parts.filter((part) => !/^[0-9a-f-]{36}$/.test(part) && part !== 'Transaction')
  return named.join(' ')
}

/** Characters that a box has room for, and those that it has room for closer together: `FASTER_PAYMENTS GBP`. */
const easyDetail = 15
const longestDetail = 22

/** As much of it as a box has room for. */
export const shortDetail = (detail: string) =>
  detail.length > longestDetail ? `${detail.slice(0, longestDetail - 1)}…` : detail

/** How a long one is written so that it stays within its box. */
export const squeezedTo = (detail: string) =>
  detail.length > easyDetail
    ? ({ textLength: flowBox.width - 10, lengthAdjust: 'spacingAndGlyphs' } as const)
    : {}
