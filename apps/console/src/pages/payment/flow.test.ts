import { describe, expect, it } from 'vitest'
import { type Flow, flowBox, flowOf, mostNodes, neighbourOf, shortDetail, squeezedTo } from './flow.ts'

const account = 'avail:InternalAccount:01930000-0000-7000-8000-00000000ee85'
const clearing = (currency: string) => `txn:Transaction:01930000-0000-7000-8000-000000000a41:${currency}`

function posted(step: string, ...moves: readonly (readonly [string, string, string, string, string?])[]) {
  return {
    id: `Transaction:1/${step}`,
    step,
    at: '2025-10-13T09:00:00.000Z',
    reverses: null,
    postings: moves.map(([from, to, amount, currency, kind = 'POSTED']) => ({
      kind: kind as 'POSTED',
      from,
      to,
      value: { amount, currency },
      why: 'x',
    })),
  }
}

const paid = [
  posted('execute', [account, clearing('USD'), '100000', 'USD']),
  posted(
    'convert',
    [clearing('USD'), 'fee:USD', '500', 'USD'],
    [clearing('USD'), 'fx:USD', '99500', 'USD'],
    ['fx:EUR', clearing('EUR'), '85570', 'EUR'],
  ),
  posted('deliver', [clearing('EUR'), 'rail:SEPA_INSTANT:EUR', '85570', 'EUR']),
]

describe('where the money of a payment went', () => {
  it('goes from left to right in fixed lanes, with one exchange for all currencies', () => {
    const { nodes, edges } = flowOf(paid)!
    expect(nodes.map(({ id, lane }) => [id, lane])).toEqual([
      [account, 0],
      [clearing('USD'), 1],
      ['fee:USD', 2],
      ['fx', 2],
      [clearing('EUR'), 3],
      ['rail:SEPA_INSTANT:EUR', 4],
    ])
    expect(edges.map(({ from, to, amount, currency }) => [from, to, amount, currency])).toEqual([
      [account, clearing('USD'), 100_000n, 'USD'],
      [clearing('USD'), 'fee:USD', 500n, 'USD'],
      [clearing('USD'), 'fx', 99_500n, 'USD'],
      ['fx', clearing('EUR'), 85_570n, 'EUR'],
      [clearing('EUR'), 'rail:SEPA_INSTANT:EUR', 85_570n, 'EUR'],
    ])
    expect(nodes[3]!.postings).toHaveLength(2)
  })

  it('adds up exactly what went the same way, and draws ways back below what goes forward', () => {
    const much = '9007199254740993'
    const { edges, nodes } = flowOf([
      posted('execute', [account, clearing('USD'), much, 'USD'], [account, clearing('USD'), '1', 'USD']),
      posted('refund', [clearing('USD'), account, much, 'USD']),
    ])!
    expect(edges.map(({ amount }) => amount)).toEqual([9_007_199_254_740_994n, 9_007_199_254_740_993n])
    const lowest = Math.max(...nodes.map(({ y }) => y))
    expect(edges[1]!.labelY).toBeGreaterThan(lowest + 44)
  })

  const unwound = [
    posted('execute', [account, clearing('USD'), '100000', 'USD']),
    posted(
      'convert',
      [clearing('USD'), 'fee:USD', '500', 'USD'],
      [clearing('USD'), 'fx:USD', '99500', 'USD'],
      ['fx:GBP', clearing('GBP'), '75122', 'GBP'],
    ),
    posted(
      'unwind',
      [clearing('GBP'), 'fx:GBP', '75122', 'GBP'],
      ['fx:USD', 'refund:Transaction:1:USD', '99500', 'USD'],
      ['fee:USD', 'refund:Transaction:1:USD', '500', 'USD'],
    ),
    posted('refund', ['refund:Transaction:1:USD', account, '100000', 'USD']),
  ]
  const refused = { rail: 'rail:SEPA:GBP', amount: 75_122n, currency: 'GBP', said: 'refused' }

  it('breaks before the rail that did not deliver it, and says what each way back is', () => {
    const { nodes, edges } = flowOf(unwound, { rate: '1 USD = 0.755 GBP', refused })!
    expect(nodes.find(({ id }) => id === 'fx')!.detail).toBe('1 USD = 0.755 GBP')
    expect(nodes.at(-1)).toMatchObject({ id: 'rail:SEPA:GBP', detail: 'SEPA GBP', postings: [] })
    expect(edges.map(({ from, to, broken, said }) => [from, to, broken ?? said])).toEqual([
      [account, clearing('USD'), undefined],
      [clearing('USD'), 'fee:USD', undefined],
      [clearing('USD'), 'fx', undefined],
      ['fx', clearing('GBP'), undefined],
      [clearing('GBP'), 'rail:SEPA:GBP', 'refused'],
      [clearing('GBP'), 'fx', 'unwound'],
      ['fx', 'refund:Transaction:1:USD', 'unwound'],
      ['fee:USD', 'refund:Transaction:1:USD', 'unwound'],
      ['refund:Transaction:1:USD', account, 'refund'],
    ])
    // Where it is not known from where it went on, nothing is made up.
    expect(flowOf(unwound, { refused: { ...refused, currency: 'JPY' } })!.edges).toHaveLength(8)
  })

  it('lets no two ways back share a line, and none pass behind a box', () => {
    const { nodes, edges, height } = flowOf(unwound, { refused })!
    const backs = edges.filter(({ said }) => said !== undefined)
    const lines = backs.map(({ path }) => linesOf(path))
    for (const [index, line] of lines.entries()) {
      for (const other of lines.slice(index + 1)) {
        for (const a of line) for (const b of other) expect(overlap(a, b), `${a} and ${b}`).toBe(false)
      }
      for (const [x1, y1, x2, y2] of line) {
        for (const { x, y, id } of nodes) {
          const isBehind =
            Math.max(x1, x2) > x &&
            Math.min(x1, x2) < x + flowBox.width &&
            Math.max(y1, y2) > y &&
            Math.min(y1, y2) < y + flowBox.height
          expect(isBehind, `${id}: ${x1} ${y1} ${x2} ${y2}`).toBe(false)
        }
        expect(Math.max(y1, y2)).toBeLessThan(height)
      }
    }
  })

  it('has each amount where no line, no box and no other amount is', () => {
    const returned = [
      ...paid,
      posted(
        'return',
        ['rail:SEPA_INSTANT:EUR', 'fx:EUR', '85570', 'EUR'],
        ['fx:USD', 'refund:Transaction:1:USD', '99500', 'USD'],
        ['fee:USD', 'refund:Transaction:1:USD', '500', 'USD'],
      ),
      posted('refund', ['refund:Transaction:1:USD', account, '100000', 'USD']),
    ]
    const kept = [
      ...unwound.slice(0, -1),
      posted('refund', ['refund:Transaction:1:USD', 'susp:USD', '100000', 'USD']),
    ]
    const plain = [
      posted(
        'execute',
        [account, clearing('USD'), '100000', 'USD'],
        [clearing('USD'), 'fee:USD', '500', 'USD'],
        [clearing('USD'), 'netfee:USD', '20', 'USD'],
        [clearing('USD'), 'pfee:USD', '30', 'USD'],
        [clearing('USD'), 'rail:ACH:USD', '99450', 'USD'],
        [clearing('USD'), 'refund:Transaction:1:USD', '1', 'USD'],
      ),
    ]
    const gathered = [
      posted(
        'execute',
        [account, clearing('USD'), '70000', 'USD'],
        ['recv:USD', clearing('USD'), '30000', 'USD'],
        ['loss:USD', clearing('EUR'), '1', 'EUR'],
        ['fx:EUR', clearing('EUR'), '1', 'EUR'],
        [clearing('EUR'), 'rail:SEPA:EUR', '1', 'EUR'],
        [clearing('EUR'), 'avail:InternalAccount:1', '1', 'EUR'],
      ),
    ]
    const much = (journals: typeof paid) =>
      journals.map((journal) => ({
        ...journal,
        postings: journal.postings.map((posting) => ({
          ...posting,
          value: { ...posting.value, amount: `${posting.value.amount}00000000000000` },
        })),
      }))
    const all = { paid, unwound, returned, kept, plain, gathered }
    const broken: string[] = []
    for (const [name, journals] of Object.entries(all)) {
      for (const shown of [journals, much(journals)]) {
        const flow = flowOf(shown, name === 'unwound' || name === 'kept' ? { refused } : {})!
        broken.push(...collisionsOf(flow).map((each) => `${name}: ${each}`))
      }
    }
    expect(broken).toEqual([])
  })

  it('shows a hold as held until it is posted, and nothing of one that was let go', () => {
    const hold = posted('hold', [account, clearing('USD'), '5', 'USD', 'PENDING'])
    expect(flowOf([hold])!.edges).toMatchObject([{ amount: 5n, isHeld: true }])
    const capture = posted('capture', [account, clearing('USD'), '5', 'USD', 'POST_PENDING'])
    expect(flowOf([hold, capture])!.edges).toMatchObject([{ amount: 5n, isHeld: false }])
    expect(
      flowOf([posted('release', [account, clearing('USD'), '5', 'USD', 'VOID_PENDING'])]),
    ).toBeUndefined()
  })

  it('is no picture of nothing, nor of too much', () => {
    expect(flowOf([])).toBeUndefined()
    const many = Array.from(
      { length: mostNodes },
      (_, index) => [account, `rail:R${index}:USD`, '1', 'USD'] as const,
    )
    expect(flowOf([posted('deliver', ...many)])).toBeUndefined()
  })

  it('is walked by arrow keys, along the money and within a lane', () => {
    const flow = flowOf(paid)!
    const walk = (from: string, ...keys: string[]) =>
      keys.reduce((at, key) => neighbourOf(flow, at, key) ?? at, from)
    expect(walk(account, 'ArrowRight')).toBe(clearing('USD'))
    expect(walk('fee:USD', 'ArrowDown')).toBe('fx')
    expect(walk('fx', 'ArrowRight', 'ArrowRight')).toBe('rail:SEPA_INSTANT:EUR')
    expect(walk('rail:SEPA_INSTANT:EUR', 'ArrowRight')).toBe('rail:SEPA_INSTANT:EUR')
    expect(walk('fx', 'Home')).toBe(account)
    expect(walk(account, 'End')).toBe('rail:SEPA_INSTANT:EUR')
    expect(neighbourOf(flow, 'no such', 'ArrowRight')).toBeUndefined()
    expect(neighbourOf(flow, account, 'x')).toBeUndefined()
  })

  it('has room for the longest names of rails with their currencies, closer together', () => {
    for (const detail of ['FASTER_PAYMENTS GBP', '…94242c', 'SPEI MXN'])
      expect(shortDetail(detail)).toBe(detail)
    expect(squeezedTo('SPEI MXN')).toEqual({})
    expect(squeezedTo('FASTER_PAYMENTS GBP').textLength).toBeLessThan(flowBox.width)
    expect(shortDetail('A'.repeat(40))).toHaveLength(22)
  })
})

type Line = readonly [x1: number, y1: number, x2: number, y2: number]

/** The straight lines of `M1 2V3H4V5`. */
function linesOf(path: string): Line[] {
  const lines: Line[] = []
  let [x, y] = [0, 0]
  for (const [, letter, first, second] of path.matchAll(/([MVH])(-?[\d.]+)(?: (-?[\d.]+))?/g)) {
    const next = {
      M: [Number(first), Number(second)],
      V: [x, Number(first)],
      H: [Number(first), y],
    }[letter as 'M'] as [number, number]
    if (letter !== 'M') lines.push([x, y, ...next])
    ;[x, y] = next
  }
  return lines
}

/** What an amount stands on, however little. */
function collisionsOf({ edges, nodes, width, height }: Flow): string[] {
  const labels = edges.map(({ key, labelX, labelY, text, anchor }) => {
    const long = text.length * 7.2
    const x = anchor === 'middle' ? labelX - long / 2 : labelX
    return { key, box: [x, labelY - 10, x + long, labelY + 2] as Line }
  })
  const boxes = nodes.map(
    ({ id, x, y }) => [id, [x, y, x + flowBox.width, y + flowBox.height] as Line] as const,
  )
  const meets = (a: Line, b: Line) =>
    Math.min(b[0], b[2]) < a[2] &&
    Math.max(b[0], b[2]) > a[0] &&
    Math.min(b[1], b[3]) < a[3] &&
    Math.max(b[1], b[3]) > a[1]
  return labels.flatMap(({ key, box }, index) => [
    ...edges.flatMap((edge) =>
      linesOf(edge.path).some((line) => meets(box, line)) ? [`${key} on the line of ${edge.key}`] : [],
    ),
    ...boxes.flatMap(([id, each]) => (meets(box, each) ? [`${key} on the box of ${id}`] : [])),
    ...labels
      .slice(index + 1)
      .flatMap((other) => (meets(box, other.box) ? [`${key} on the amount of ${other.key}`] : [])),
    ...(box[0] < 0 || box[1] < 0 || box[2] > width || box[3] > height ? [`${key} beyond the edge`] : []),
  ])
}

/** Whether they lie on each other; where they cross they do not. */
function overlap([ax1, ay1, ax2, ay2]: Line, [bx1, by1, bx2, by2]: Line): boolean {
  const meet = (a1: number, a2: number, b1: number, b2: number) =>
    Math.min(Math.max(a1, a2), Math.max(b1, b2)) >= Math.max(Math.min(a1, a2), Math.min(b1, b2))
  if (ax1 === ax2 && bx1 === bx2) return ax1 === bx1 && meet(ay1, ay2, by1, by2)
  if (ay1 === ay2 && by1 === by2) return ay1 === by1 && meet(ax1, ax2, bx1, bx2)
  return false
}
