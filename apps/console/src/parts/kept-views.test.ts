import { describe, expect, it } from 'vitest'
import { addView, viewsOf } from './kept-views.ts'

describe('views that a browser keeps', () => {
  it.each([null, '', 'no json', '{}', '[1, null, {"name":"x"}, {"name":"","query":"a=b"}]', '"x"'])(
    'takes %j for none',
    (kept) => {
      expect(viewsOf(kept)).toEqual([])
    },
  )

  it('has one of each name, and twenty at most', () => {
    const views = Array.from({ length: 20 }, (_, index) => ({ name: `v${index}`, query: `status=${index}` }))
    expect(addView(views, { name: ' v3 ', query: 'type=CARD' })).toEqual([
      ...views.filter(({ name }) => name !== 'v3'),
      { name: 'v3', query: 'type=CARD' },
    ])
    const more = addView(views, { name: 'new', query: 'type=CARD' })
    expect(more).toHaveLength(20)
    expect(more.at(-1)!.name).toBe('new')
    expect(viewsOf(JSON.stringify(more))).toEqual(more)
  })

  it('keeps nothing without a name, or longer than an address', () => {
    expect(addView([], { name: '  ', query: 'a=b' })).toEqual([])
    expect(addView([], { name: 'x', query: 'a'.repeat(2_001) })).toEqual([])
  })
})
