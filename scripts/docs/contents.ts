import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { marked } from 'marked'

/** One page of the documentation: a Markdown file, or one that follows from the published document. */
export interface DocsPage {
  /** Relative to `docs`, without the ending: `guides/first-payment`. */
  readonly path: string
  readonly title: string
  /** The first sentence below the title. */
  readonly summary: string
  readonly markdown: string
}

export interface DocsSection {
  readonly title: string
  readonly pages: readonly DocsPage[]
}

/** In the order in which a newcomer meets them. */
const firstGuides = [
  'first-payment',
  'receive-webhooks',
  'onboard-customers',
  'collect-money',
  'failures',
  'test-in-ci',
  'go-to-production',
  'backup',
  'upgrade',
]
const tryingOut = ['sandbox', 'errors', 'events']
const running = [
  'guides/database-users',
  'guides/master-key',
  'guides/ledger-does-not-balance',
  'guides/internal-accounts',
  'guides/personal-data',
  'security',
  'resilience',
  'performance',
  'dated-facts',
]

/** Every page below `docs`, guides first. A file that is named nowhere here is found among its neighbours. */
export function readContents(root: string, apiPages: readonly DocsPage[]): readonly DocsSection[] {
  const docs = join(root, 'docs')
  const read = (path: string) => docsPage(path, readFileSync(join(docs, `${path}.md`), 'utf8'))
  const inFolder = (folder: string) =>
    readdirSync(join(docs, folder))
      .filter((name) => name.endsWith('.md'))
      .map((name) => join(folder, name.slice(0, -'.md'.length)))
      .sort()
  const guides = inFolder('guides')
  const start = firstGuides.map((name) => `guides/${name}`).filter((path) => guides.includes(path))
  const named = new Set([...start, ...running, 'guides/sandbox'])
  const reference = inFolder('reference')
  return [
    { title: 'Start', pages: start.map(read) },
    {
      title: 'Try out',
      pages: tryingOut.map((name) => read(name === 'sandbox' ? 'guides/sandbox' : `reference/${name}`)),
    },
    { title: 'In depth', pages: guides.filter((path) => !named.has(path)).map(read) },
    {
      title: 'Run it',
      pages: [...running.map(read), docsPage('changelog', readFileSync(join(root, 'CHANGELOG.md'), 'utf8'))],
    },
    { title: 'Operations', pages: apiPages },
    {
      title: 'Reference',
      pages: [
        ...reference.filter((path) => !tryingOut.some((name) => path.endsWith(`/${name}`))),
        'glossary',
      ].map(read),
    },
    { title: 'Decisions', pages: inFolder('adr').map(read) },
  ]
}

export function docsPage(path: string, markdown: string): DocsPage {
  const tokens = marked.lexer(markdown)
  const heading = tokens.find((token) => token.type === 'heading')
  const paragraph = tokens.find((token) => token.type === 'paragraph')
  if (heading?.type !== 'heading') throw new Error(`docs/${path}.md has no title`)
  const text = paragraph?.type === 'paragraph' ? plainText(paragraph.text) : ''
  return {
    path,
    title: plainText(heading.text),
    summary: /^.*?[.:](?=\s|$)/.exec(text)?.[0] ?? text,
    markdown,
  }
}

/** Inline Markdown without its marks. */
export function plainText(markdown: string): string {
  return markdown
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[`*]/g, '')
    .replace(/\s+/g, ' ')
    .trim()
}
