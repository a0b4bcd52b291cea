import { t } from '../../language/t.ts'
import { type Line, layOut } from '../../parts/boxes-and-lines.ts'
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

export interface FlowEdge extends Line {
  readonly key: string
  readonly from: string
  readonly to: string
  readonly amount: bigint
  readonly currency: string
  /** Held, and not moved. */
  readonly isHeld: boolean
  /** It never came there: what was said of it where it was refused. */
  readonly broken?: string
  /** What became of it, where it goes back. */
  readonly said?: string
  /** What is written along it. */
  readonly text: string
}

/** What the postings do not say: they know nothing of what was not posted. */
export interface FlowFacts {
  /** How an amount is written; absent: by its digits. */
  readonly amount?: (value: { readonly amount: bigint; readonly currency: string }) => string
  /** At which rate it was exchanged: `1 USD = 0.86 EUR`. */
  readonly rate?: string | undefined
  /** The rail that was to deliver it and did not, as its ledger account, and what it is called that it did not. */
  readonly refused?:
    | { readonly rail: string; readonly amount: bigint; readonly currency: string; readonly said: string }
    | undefined
}

export interface Flow {
  readonly width: number
  readonly height: number
  readonly nodes: readonly FlowNode[]
  readonly edges: readonly FlowEdge[]
}

export const flowBox = { width: 112, height: 44 } as const
const sizes = { box: flowBox, rowGap: 30, laneGap: 72, align: 'center' } as const
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
  recv: t('Owed to the operator'),
  cpty: t('Other institution'),
  ln: t('Lightning'),
  loss: t('Written off'),
}

const feeKinds: ReadonlySet<string> = new Set(['fee', 'cpfee', 'netfee', 'pfee', 'loss'])
const lanes = { source: 0, sending: 1, middle: 2, receiving: 3, destination: 4 } as const

/** How steps are called that give back. */
const backWords: Readonly<Record<string, string>> = { unwind: t('unwound'), refund: t('refund') }

/** The nodes and edges of what was posted; undefined where nothing was, or too much for a picture. */
export function flowOf(journals: readonly Journal[], facts: FlowFacts = {}): Flow | undefined {
  const postings = journals.flatMap(({ id, step, postings }) =>
    // A hold that ends moves nothing by that: what it becomes is posted.
    postings
      .filter(({ kind }) => kind !== 'VOID_PENDING')
      .map((posting) => ({ ...posting, journal: id, step })),
  )
  if (postings.length === 0) return undefined
  const names = [...new Set(postings.flatMap(({ from, to }) => [nodeOf(from), nodeOf(to)]))]
  const refused = brokenOf(names, facts.refused)
  if (refused && !names.includes(refused.to)) names.push(refused.to)
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
  const amountOf = facts.amount ?? (({ amount, currency }) => `${amount} ${currency}`)
  const moves = movesOf(postings, refused).map(([key, move]) => {
    const amount = amountOf(move)
    return { key, ...move, text: move.said === undefined ? amount : `${move.said} ${amount}` }
  })
  const boxes = names.map((id) => ({ id, lane: used.indexOf(laneOf(id)) }))
  const { places, lines, ...size } = layOut(boxes, moves, sizes)
  const nodes = boxes.map(
    ({ id, lane }): FlowNode => ({
      id,
      kind: kindOf(id),
      label: labels[kindOf(id)] ?? kindOf(id),
      detail: id === 'fx' ? (facts.rate ?? '') : detailOf(id),
      lane,
      ...places.get(id)!,
      postings: postings.filter(({ from, to }) => nodeOf(from) === id || nodeOf(to) === id),
    }),
  )
  return { ...size, nodes, edges: moves.map((move, index) => ({ ...move, ...lines[index]! })) }
}

type Moved = Pick<FlowEdge, 'from' | 'to' | 'amount' | 'currency' | 'isHeld' | 'broken' | 'said'>

/** What was to go on to the rail and broke before it; undefined where it is not known from where. */
function brokenOf(names: readonly string[], refused: FlowFacts['refused']): Moved | undefined {
  if (!refused) return undefined
  const { rail, amount, currency, said } = refused
  const from = names.find((name) => kindOf(name) === 'txn' && name.endsWith(`:${currency}`))
  return from === undefined ? undefined : { from, to: rail, amount, currency, isHeld: false, broken: said }
}

/** What moved from one to another, added up, by a key of its own and in the order in which it began. */
function movesOf(postings: readonly FlowPosting[], refused: Moved | undefined): [key: string, Moved][] {
  const sums = new Map<string, Moved>()
  for (const { from, to, value, kind, step } of postings) {
    const isHeld = kind === 'PENDING'
    // What was held is drawn as what it came to.
    const isPosted = postings.some(
      (each) => each.kind === 'POST_PENDING' && each.from === from && each.to === to,
    )
    if (isHeld && isPosted) continue
    const key = `${nodeOf(from)} ${nodeOf(to)} ${value.currency} ${isHeld}`
    const amount = (sums.get(key)?.amount ?? 0n) + BigInt(value.amount)
    const said = backWords[step]
    sums.set(key, {
      from: nodeOf(from),
      to: nodeOf(to),
      amount,
      currency: value.currency,
      isHeld,
      ...(said === undefined ? {} : { said }),
    })
  }
  // It broke after all that went forward, and before anything went back.
  const moved = [...sums]
  const firstBack = moved.findIndex(([, { said }]) => said !== undefined)
  if (refused) moved.splice(firstBack === -1 ? moved.length : firstBack, 0, ['refused', refused])
  return moved
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
