import { describe, expect, it } from 'vitest'
import { flowBox, flowOf, mostNodes, neighbourOf, shortDetail, squeezedTo } from './flow.ts'

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
