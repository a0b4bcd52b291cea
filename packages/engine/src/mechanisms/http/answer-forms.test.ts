import { describe, expect, it } from 'vitest'
import { prefersMarkdown } from './answer-forms.ts'

describe('the form of an answer', () => {
  it.each([
    ['text/markdown', true],
    ['Text/Markdown; charset=utf-8', true],
    ['text/markdown, */*;q=0.5', true],
    ['application/json;q=0.5, text/markdown', true],
    [undefined, false],
    ['*/*', false],
    ['application/json', false],
    ['application/json, text/markdown', false],
    ['application/json, text/markdown;q=0.9', false],
    ['text/markdown;q=0', false],
    ['text/markdown;q=x', false],
    [`text/markdown, ${'a/b,'.repeat(400)}`, false],
  ])('of %j is prose: %s', (accept, isProse) => {
    expect(prefersMarkdown(accept)).toBe(isProse)
  })
})
