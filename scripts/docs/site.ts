import { posix } from 'node:path'
import { Marked, type Tokens } from 'marked'
import { type DocsPage, type DocsSection, plainText } from './contents.ts'

/**
 * The documentation as a static site below `/docs`: each page with its Markdown beside it, one search index, and
 * `llms.txt`. It loads nothing from elsewhere, and can be read without scripts. Returns files by their address.
 */
export function renderSite(sections: readonly DocsSection[]): ReadonlyMap<string, string> {
  const pages = sections.flatMap((section) => section.pages)
  const known = new Set(pages.map(({ path }) => path))
  const files = new Map<string, string>()
  const search: SearchEntry[] = []
  for (const page of pages) {
    const { body, entries } = renderPage(page, known)
    search.push(...entries)
    files.set(`/docs/${page.path}`, frame(page, body, sections))
    files.set(`/docs/${page.path}.md`, page.markdown)
  }
  files.set('/docs', frame(undefined, renderContents(sections), sections))
  files.set('/docs/search.json', JSON.stringify(search))
  files.set('/llms.txt', renderIndexForModels(sections))
  files.set('/llms-full.txt', `${rule}\n\n${pages.map(({ markdown }) => markdown).join('\n\n')}`)
  return files
}

/** Of one heading in the search index, which is loaded whole. */
const longestText = 600

interface SearchEntry {
  /** Address, with the anchor of the heading. */
  readonly at: string
  readonly page: string
  readonly heading: string
  readonly text: string
}

function renderPage(
  { path, title, markdown }: DocsPage,
  known: ReadonlySet<string>,
): { body: string; entries: SearchEntry[] } {
  const address = `/docs/${path}`
  const texts: { at: string; heading: string; parts: string[] }[] = [
    { at: address, heading: title, parts: [] },
  ]
  const anchors = new Set<string>()
  const renderer = new Marked({
    renderer: {
      heading({ tokens, depth, text }: Tokens.Heading) {
        const anchor = freeAnchor(plainText(text), anchors)
        return `<h${depth} id="${anchor}">${this.parser.parseInline(tokens)}</h${depth}>\n`
      },
      link({ href, tokens }: Tokens.Link) {
        const text = this.parser.parseInline(tokens)
        const target = addressOf(href, path, known)
        return target === undefined ? text : `<a href="${escapeHtml(target)}">${text}</a>`
      },
      code({ text, lang = '' }: Tokens.Code) {
        const [language = '', word = ''] = lang.split(' ')
        const label = word === 'terminal-2' ? 'second terminal' : word.includes('.') ? word : ''
        const caption = label ? `<figcaption>${escapeHtml(label)}</figcaption>` : ''
        const kind = language === 'text' ? ' class="output"' : ''
        return `<figure${kind}>${caption}<pre tabindex="0"><code>${escapeHtml(text)}</code></pre></figure>\n`
      },
      // What a table explains by its code has an address: `/docs/reference/errors#quote_expired`.
      tablerow({ text }: Tokens.TableRow) {
        const [, word] = /^<td><code>([A-Z][A-Z0-9_]+)<\/code>/.exec(text) ?? []
        if (!word || anchors.has(word.toLowerCase())) return `<tr>\n${text}</tr>\n`
        anchors.add(word.toLowerCase())
        return `<tr id="${word.toLowerCase()}">\n${text}</tr>\n`
      },
      html: ({ text }: Tokens.HTML | Tokens.Tag) => (text.startsWith('<!--') ? '' : escapeHtml(text)),
    },
  })
  let body = ''
  for (const token of renderer.lexer(markdown)) {
    const before = new Set(anchors)
    body += renderer.parser([token])
    if (token.type === 'table' && !path.startsWith('api/')) {
      for (const row of token.rows) texts.push(rowEntry(address, row, anchors))
      continue
    }
    if (token.type === 'heading' && token.depth > 1) {
      const [anchor = ''] = [...anchors].filter((name) => !before.has(name))
      texts.push({ at: `${address}#${anchor}`, heading: plainText(token.text), parts: [] })
    } else if (token.type !== 'heading' && token.type !== 'html') {
      texts.at(-1)!.parts.push(plainText(token.raw.replace(/[|#>]+|-{2,}/g, ' ')))
    }
  }
  const entries = texts.map(({ at, heading, parts }) => ({
    at,
    page: title,
    heading,
    text: parts.join(' ').slice(0, longestText),
  }))
  return { body, entries }
}

/** Each row is found by itself, at its own address where it has one. */
function rowEntry(address: string, row: readonly Tokens.TableCell[], anchors: ReadonlySet<string>) {
  const heading = plainText(row[0]?.text ?? '')
  const at = anchors.has(heading.toLowerCase()) ? `${address}#${heading.toLowerCase()}` : address
  return { at, heading, parts: row.slice(1).map(({ text }) => plainText(text)) }
}

function freeAnchor(text: string, taken: Set<string>): string {
  const slug = text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
  let anchor = slug
  for (let count = 2; taken.has(anchor); count++) anchor = `${slug}-${count}`
  taken.add(anchor)
  return anchor
}

/** Where a link of a page leads on the site; undefined for files of the repository that are no pages. */
function addressOf(href: string, from: string, known: ReadonlySet<string>): string | undefined {
  if (/^(https?:|mailto:|#|\/)/.test(href)) return href
  const [file = '', anchor] = href.split('#')
  const path = posix.normalize(posix.join(posix.dirname(from), file)).replace(/\.md$/, '')
  const page = path === '../CHANGELOG' ? 'changelog' : path
  if (!known.has(page)) return undefined
  return `/docs/${page}${anchor ? `#${anchor}` : ''}`
}

function renderContents(sections: readonly DocsSection[]): string {
  const lists = sections.map(({ title, pages }) => {
    const items = pages.map(
      ({ path, title: name, summary }) =>
        `<li><a href="/docs/${path}">${escapeHtml(name)}</a><span>${escapeHtml(summary)}</span>`,
    )
    return `<h2>${escapeHtml(title)}</h2>\n<ul class="contents">${items.join('\n')}</ul>`
  })
  return `<h1>Corridor</h1>
<p>Payments across currencies and rails, over an API that you host yourself. New here? <a href="/docs/guides/first-payment">The
first payment</a> takes a few minutes.</p>
${lists.join('\n')}`
}

const rule =
  'Amounts are whole numbers of the smallest unit of their currency, everywhere: 12550 is 125.50 USD. Never use fractions.'

/** As https://llmstxt.org proposes. */
function renderIndexForModels(sections: readonly DocsSection[]): string {
  const lists = sections.map(({ title, pages }) =>
    [
      `## ${title}`,
      '',
      ...pages.map(({ path, title: name, summary }) => `- [${name}](/docs/${path}.md): ${summary}`),
    ].join('\n'),
  )
  const head = `# Corridor\n\n> A self-hosted payments API. ${rule}\n\nAll pages in one file: /llms-full.txt`
  return `${[head, ...lists].join('\n\n')}\n`
}

/** What surrounds every page. */
function frame(page: DocsPage | undefined, body: string, sections: readonly DocsSection[]): string {
  const title = page ? `${page.title} · Corridor` : 'Corridor'
  const lists = sections.map(({ title: name, pages }) => {
    const items = pages.map((other) => {
      const current = other === page ? ' aria-current="page"' : ''
      return `<li><a href="/docs/${other.path}"${current}>${escapeHtml(other.title)}</a>`
    })
    const isOpen = page === undefined || pages.includes(page) || name === 'Start'
    return `<details${isOpen ? ' open' : ''}><summary>${escapeHtml(name)}</summary><ul>${items.join('')}</ul></details>`
  })
  const twin = page ? `<p class="twin"><a href="/docs/${page.path}.md">This page as Markdown</a></p>` : ''
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<link rel="stylesheet" href="/docs/site.css">
<link rel="icon" href="/docs/icon.svg">
<script src="/docs/site.js" defer></script>
<header><a href="/docs" class="name">Corridor</a>
<div class="search"><input id="search" type="search" placeholder="Search the docs" aria-label="Search the docs" autocomplete="off"><ol id="found" hidden></ol></div>
<a href="/docs/try">Try the API</a></header>
<div class="columns"><nav aria-label="Pages">${lists.join('\n')}</nav>
<main>
${body}${twin}</main></div>
`
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => entities[character]!)
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
