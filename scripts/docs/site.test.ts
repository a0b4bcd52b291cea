import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { operations } from '../../packages/engine/src/assembly/features.ts'
import { renderApiPages } from './api-pages.ts'
import { checkPages, findingsOf, type Known } from './check.ts'
import { readContents } from './contents.ts'
import { renderSite } from './site.ts'

const root = join(import.meta.dirname, '../..')
const document = JSON.parse(readFileSync(join(root, 'openapi/openapi.json'), 'utf8'))
const sections = readContents(root, renderApiPages(document))
const pages = sections.flatMap((section) => section.pages)
const files = renderSite(sections)

describe('the documentation', () => {
  it('begins with the guides, and has every page and every operation once', () => {
    expect(sections[0]?.pages[0]?.path).toBe('guides/first-payment')
    expect(new Set(pages.map(({ path }) => path)).size).toBe(pages.length)
    const text = pages.map(({ markdown }) => markdown).join('\n')
    for (const [path, item] of Object.entries<object>(document.paths)) {
      for (const method of Object.keys(item)) expect(text).toContain(`\`${method.toUpperCase()} ${path}\``)
    }
  })

  it('links to what it has, headings among them', () => {
    const served = new Set([
      ...files.keys(),
      '/docs/try',
      '/docs/site.css',
      '/docs/site.js',
      '/docs/icon.svg',
    ])
    for (const [address, text] of files) {
      if (!text.startsWith('<!doctype')) continue
      for (const [, href = ''] of text.matchAll(/(?:href|src)="([^"]+)"/g)) {
        if (/^https:/.test(href)) continue
        const [target = '', anchor] = href.split('#')
        const at = target || address
        expect(served, `${address} links to ${href}`).toContain(at)
        if (anchor) expect(files.get(at), `${address} links to ${href}`).toContain(`id="${anchor}"`)
      }
    }
  })

  it('loads nothing from elsewhere, and has neither scripts nor styles in its pages', () => {
    for (const [address, text] of files) {
      if (!text.startsWith('<!doctype')) continue
      expect(text.match(/<(script|link|img|iframe)[^>]*https?:/g), address).toBeNull()
      expect(text.match(/<script(?![^>]*src=)|<style| style=| on[a-z]+="/g), address).toBeNull()
    }
  })

  it('has a twin in Markdown for each page, which the index for models names', () => {
    const index = files.get('/llms.txt')!
    for (const { path, markdown } of pages) {
      expect(files.get(`/docs/${path}.md`)).toBe(markdown)
      expect(index).toContain(`(/docs/${path}.md)`)
    }
    expect(index).toContain('whole numbers of the smallest unit')
    expect(files.get('/llms-full.txt')).toContain('# The first payment')
  })

  it('is found by the words of its headings and texts, at the heading', () => {
    const entries: { at: string; heading: string; text: string }[] = JSON.parse(
      files.get('/docs/search.json')!,
    )
    expect(entries.find(({ heading }) => heading === 'Returned days later')).toMatchObject({
      at: '/docs/guides/failures#returned-days-later',
      text: expect.stringContaining('a bank can still return the payment'),
    })
    const expired = entries.filter(({ heading }) => heading === 'QUOTE_EXPIRED').map(({ at }) => at)
    expect(expired).toContain('/docs/reference/errors#quote_expired')
    expect(files.get('/docs/reference/errors')).toContain('<tr id="quote_expired">')
  })

  it('keeps markup of its sources as text', () => {
    const hostile = {
      path: 'x',
      title: 'x',
      summary: '',
      markdown: '# x\n\n<script>alert(1)</script>\n\n`<b>`\n',
    }
    const page = renderSite([{ title: 'x', pages: [hostile] }]).get('/docs/x')!
    expect(page).not.toContain('<script>alert')
    expect(page).toContain('<code>&lt;b&gt;</code>')
  })
})

describe('the check of pages', () => {
  const known: Known = {
    operations: new Set(['GET /quotes/{}', 'POST /quotes/{}/execute']),
    words: new Set(['QUOTE_EXPIRED', 'quoteId', 'source', 'accountId', 'OUTGOING_PAYMENT.COMPLETED']),
  }
  const found = (text: string) => findingsOf('docs/x.md', text, known, root).map(({ message }) => message)

  it('finds nothing in the pages as they are', () => {
    expect(checkPages(root, operations)).toEqual([])
  })

  it.each([
    ['`GET /quote/{quoteId}`', 'there is no operation `GET /quote/{quoteId}`'],
    ['`DELETE /quotes/{quoteId}`', 'there is no operation `DELETE /quotes/{quoteId}`'],
    ['decide by `QUOTE_EXPIERD`', 'nothing is called `QUOTE_EXPIERD`'],
    ['`OUTGOING_PAYMENT.DONE` comes', 'nothing is called `OUTGOING_PAYMENT.DONE`'],
    ['`quoteIdd` is', 'there is no field `quoteIdd`'],
    ['`quoteId.acountId`', 'there is no field `acountId`'],
    ['[rails](rails.md)', 'the link rails.md leads nowhere'],
    ['```sh\ncurl "$BASE/quotes/$QUOTE/exec"\n```', 'there is no address /quotes/$QUOTE/exec'],
  ])('finds %j', (text, message) => {
    expect(found(text)).toEqual([message])
  })

  it.each([
    '`GET /quotes/{id}`',
    '`QUOTE_EXPIRED`',
    '`OUTGOING_PAYMENT.COMPLETED`',
    '`quoteId`',
    '[operations](reference/operations.md)',
    '```sh\ncurl "$BASE/quotes/$(pick .id < quote.json)/execute"\n```',
  ])('lets %j pass', (text) => {
    expect(found(text)).toEqual([])
  })
})
