import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { folderCircles } from './tidy/dependencies.ts'
import { verdictOn } from './tidy/patterns.ts'
import { exceptions, proseFindings } from './tidy/prose.ts'
import { textExceptions, textFindings } from './tidy/prose-texts.ts'
import { findingsOf } from './tidy/rules.ts'
import { readRepository, sourceFile, split } from './tidy/source.ts'

/** What tidy says about one file with this text, apart from nobody importing it. */
function said(path: string, text: string): string[] {
  return findingsOf([sourceFile(path, text)])
    .map(({ message }) => message)
    .filter((message) => !message.startsWith('is imported by nothing'))
}

const engine = 'packages/engine/src'

describe('the dependency rule', () => {
  it.each([
    ['packages/kernel/src/a.ts', 'node:fs', 'the kernel imports nothing'],
    [
      `${engine}/reference/account-types/a.ts`,
      '../../mechanisms/http/fields.ts',
      'from a room above its own',
    ],
    [`${engine}/ports/a.ts`, '../mechanisms/http/fields.ts', 'from a room above its own'],
    [`${engine}/mechanisms/db/a.ts`, '../../money/quotes/index.ts', 'from a room above its own'],
    [
      'packages/adapters/src/rails/a.ts',
      '@corridor/engine/money/quotes/index.ts',
      'an adapter implements ports/',
    ],
    [
      'packages/adapters/src/rails/a.ts',
      '@corridor/engine/mechanisms/db/apply.ts',
      'an adapter implements ports/',
    ],
    [`${engine}/money/quotes/a.ts`, '@corridor/adapters/production.ts', 'engine.adapters'],
    [`${engine}/money/quotes/a.ts`, '../../assembly/features.ts', 'from a room above its own'],
    [`${engine}/money/quotes/a.ts`, '../transfers/store.ts', 'export what you need from its index.ts'],
    [`${engine}/assembly/features.ts`, '@corridor/adapters/production.ts', 'wiring.ts passes them in'],
    ['apps/server/src/pages.ts', '@corridor/adapters/production.ts', 'only wiring.ts sees the adapters'],
    [`${engine}/money/cards/a.ts`, '@corridor/hosted-pages/index.ts', 'wiring.ts passes them in'],
    [
      'packages/hosted-pages/src/a.ts',
      '@corridor/engine/money/cards/store.ts',
      'export what you need from its index.ts',
    ],
    ['packages/sdk/src/a.ts', '@corridor/kernel', 'use @corridor/sdk'],
    ['apps/console/src/a.ts', '@corridor/engine/assembly/features.ts', 'use @corridor/sdk'],
  ])('refuses %s importing %s', (path, specifier, advice) => {
    expect(said(path, `import { x } from '${specifier}'\n`).join()).toContain(advice)
    expect(said(path, `import type { x } from '${specifier}'\n`).join()).toContain(advice)
    expect(said(path, `export * from '${specifier}'\n`).join()).toContain(advice)
    expect(said(path, `const x = await import('${specifier}')\n`).join()).toContain(advice)
    expect(said(path, `// import { x } from '${specifier}'\n`)).toEqual([])
  })

  it.each([
    ['packages/kernel/src/a.ts', './money.ts'],
    [`${engine}/mechanisms/db/a.ts`, '../../vocabulary/decision.ts'],
    [`${engine}/money/quotes/commands.ts`, '../../platform/tokens/index.ts'],
    [`${engine}/money/quotes/contract.ts`, '../../people/customers/customer-schemas.ts'],
    [`${engine}/money/quotes/rules.test.ts`, '../../platform/tokens/store.ts'],
    ['packages/adapters/src/rates/a.ts', '@corridor/engine/reference/currencies/index.ts'],
    ['apps/server/src/wiring.ts', '@corridor/adapters/production.ts'],
    ['apps/console/src/a.tsx', '@corridor/sdk'],
  ])('allows %s importing %s', (path, specifier) => {
    expect(said(path, `import { x } from '${specifier}'\n`)).toEqual([])
  })
})

describe('folders', () => {
  const file = (path: string, ...imports: string[]) =>
    sourceFile(`${engine}/${path}`, imports.map((each) => `import type { X } from '${each}'\n`).join(''))

  it('that import each other are a circle, by types and by way of others too', () => {
    const [a, b, c] = [
      file('money/a/x.ts', '../b/index.ts'),
      file('money/b/index.ts', '../c/index.ts'),
      file('money/c/index.ts', '../a/index.ts'),
    ] as const
    expect(folderCircles([a, b, file('money/c/index.ts')])).toEqual([])
    expect(folderCircles([a, b, c]).map((circle) => circle.sort())).toEqual([
      ['money/a', 'money/b', 'money/c'],
    ])
  })

  it('make a circle of their rooms even where each imports the other room from another place', () => {
    const files = [
      file('people/a/x.ts', '../../money/b/index.ts'),
      file('money/c/x.ts', '../../people/d/index.ts'),
    ]
    expect(folderCircles(files)).toHaveLength(1)
    expect(folderCircles(files.slice(1))).toEqual([])
  })
})

describe('the contract of another feature', () => {
  const from = (what: string) =>
    said(`${engine}/money/quotes/rules.ts`, `${what} from '../../platform/tokens/contract.ts'\n`)
  it('may lend its types and nothing else', () => {
    expect(from('import type { A,\n B }')).toEqual([])
    expect(from('import { A }').join()).toContain('export what you need from its index.ts')
    expect(from("import type { X } from '@corridor/kernel'\nimport { A }")).toHaveLength(1)
  })
})

describe('banned names', () => {
  const path = `${engine}/money/quotes/commands.ts`
  it.each([
    ['Date.now()', 'scope.now'],
    ['Date.now', 'scope.now'],
    ['new Date()', 'scope.now'],
    ['[new Date]', 'scope.now'],
    ['Math.random()', 'world.randomBytes'],
    ["connection.query({ name: 'a', text: 'select 1' })", 'make it with statement()'],
    ["const load: Statement = { name: 'a', text: 'select 1' }", 'make it with statement()'],
    ['crypto.randomUUID()', 'world.uuid()'],
    ["fetch('x')", 'world.fetch'],
    ["globalThis.fetch('x')", 'world.fetch'],
    ['engine.world.fetch(url)', 'by an adapter'],
    ['world.exchange', 'by an adapter'],
    ['process.env.PORT', 'config.ts'],
    ['setTimeout(f, 1)', 'world.sleep'],
    ['setInterval(f, 1)', 'world.sleep'],
    ['globalThis.setTimeout(f, 1)', 'world.sleep'],
    ['Number(amountMinor)', 'toWireAmount'],
    ['Number(quote.totalSendingAmount)', 'toWireAmount'],
    ['parseFloat(row.balance)', 'toWireAmount'],
  ])('%s is refused with the allowed way', (code, advice) => {
    expect(said(path, `const x = ${code}\n`).join()).toContain(advice)
    expect(said(path, `// ${code}\nconst x = "${code.replaceAll('"', '')}"\n`)).toEqual([])
    expect(said(`${engine}/money/quotes/commands.test.ts`, `const x = ${code}\n`)).toEqual([])
  })

  it('are not exported by a star: a file says what others may use, name by name', () => {
    const everything = "export * from './rules.ts'\n"
    for (const path of [`${engine}/money/quotes/index.ts`, `${engine}/money/quotes/contract.ts`]) {
      expect(said(path, everything).join()).toContain('name what others may use')
      expect(said(path, "export { a } from './rules.ts'\n").join()).not.toContain('name what others may use')
    }
    expect(said('packages/kernel/src/index.ts', everything).join()).toContain('name what others may use')
  })

  it.each([
    ['node:timers/promises', 'world.sleep'],
    ['timers', 'world.sleep'],
    ['node:https', 'world.fetch'],
    ['undici', 'world.fetch'],
  ])('are not brought in by %s either', (specifier, advice) => {
    const text = `import { x } from '${specifier}'\n`
    expect(said(path, text).join()).toContain(advice)
    expect(said(path, text.replace('import', 'import type'))).toEqual([])
    expect(said('apps/server/src/real-world.ts', text)).toEqual([])
  })

  it('leaves the World and pure uses alone', () => {
    expect(said(path, 'const at: Date = new Date(instant); new DateFormat(x)\n')).toEqual([])
    expect(said(path, 'new Date(instant); world.randomBytes(8); Number(limit)\n')).toEqual([])
    expect(said('packages/adapters/src/rails/a.ts', 'world.fetch(url)\n')).toEqual([])
    expect(said('apps/server/src/real-world.ts', 'Date.now()\n')).toEqual([])
    expect(said('apps/server/src/config.ts', 'process.env\n')).toEqual([])
  })
})

describe('an index', () => {
  const index = sourceFile(`${engine}/money/quotes/index.ts`, "export { a, type B } from './rules.ts'\n")
  const messages = (from: string, text: string) =>
    findingsOf([index, sourceFile(from, text)])
      .map(({ message }) => message)
      .filter((message) => message.includes('used by nobody outside'))

  it('shows others nothing that none of them uses', () => {
    const text = "import { a } from '../quotes/index.ts'\n"
    expect(messages(`${engine}/money/transfers/commands.ts`, text)).toEqual([
      'B is used by nobody outside; take it from the list',
    ])
    expect(
      messages(`${engine}/money/quotes/commands.ts`, "import { a, type B } from './index.ts'\n"),
    ).toHaveLength(2)
  })
})

describe('end-to-end tests', () => {
  it('import no engine internals, but types', () => {
    const code = "import { statement } from '@corridor/engine/mechanisms/db/driver.ts'\n"
    expect(said('tests/e2e/a.test.ts', code).join()).toContain('move the test to tests/inside')
    expect(said('tests/inside/a.test.ts', code)).toEqual([])
    expect(said('tests/e2e/a.test.ts', code.replace('import {', 'import type {'))).toEqual([])
  })

  it.each(['await server.engine.jobs.run()\n', 'const { engine } = server\n'])(
    'do not take the engine out of the test server: %s',
    (code) => {
      expect(said('tests/e2e/a.test.ts', code).join()).toContain('takes the engine out of the test server')
      expect(said('tests/inside/a.test.ts', code)).toEqual([])
    },
  )
})

describe('faults of the sandbox', () => {
  const imported = "import type { Faults } from '../../mechanisms/faults/faults.ts'\n"

  it.each([
    [`${engine}/money/quotes/a.ts`, imported],
    [`${engine}/people/customers/a.ts`, "import { x } from '../../platform/faults/index.ts'\n"],
    [`${engine}/mechanisms/outbox/a.ts`, 'const isFaulty = await engine.faults.inForce(book)\n'],
    [`${engine}/mechanisms/jobs/a.ts`, '/** Counts together, as a fault does. */\n'],
    [`${engine}/mechanisms/http/a.ts`, 'const x = apiFaults\n'],
  ])('are unknown to %s', (path, text) => {
    expect(said(path, text).join()).toContain('let a decorator in mechanisms/faults change')
  })

  it('may be named in words of the API, and where they decorate', () => {
    const advice = 'let a decorator in mechanisms/faults'
    const path = `${engine}/money/quotes/a.ts`
    expect(said(path, "const byDefault = 'FAULT' // by default\n").join()).not.toContain(advice)
    expect(said(`${engine}/mechanisms/faults/a.ts`, 'const faulty = 1\n').join()).not.toContain(advice)
  })
})

describe('the rule of states', () => {
  const path = `${engine}/money/quotes/a.ts`
  const refused = 'writes a state by its name'

  it.each([
    "const updates = [{ table: 'quotes', id, set: { status: 'FAILED', updated_at } }]",
    "const set = { state: 'CLOSED' as const }",
    "story.change({ status: 'COMPLETED', settledAt: now })",
    "begin(facts)\n  .change({\n    flow,\n    status: 'FAILED',\n  })",
    "updateOf(quote, now, { status: 'PENDING' }, 'open')",
    "const next = { ...quote, status: 'PROCESSING' }",
    "const next = { ...coin, enablementStatus: isOn ? 'ENABLED' : 'PAUSED' }",
    "const end = statement('x', `update keys set status = 'REVOKED', version = version + 1`)",
    "const end = statement('x', `update keys set a = $1, status = 'REVOKED'`)",
  ])('refuses %s', (code) => {
    expect(said(path, `${code}\n`).join()).toContain(refused)
    expect(said(`${engine}/money/quotes/machine.ts`, `${code}\n`)).toEqual([])
    expect(said(`${engine}/money/quotes/a.test.ts`, `${code}\n`)).toEqual([])
  })

  it.each([
    "const next = { ...quote, status: stateAfter(quoteMachine, 'execute') }",
    "story.move('complete', { settledAt: now })",
    "const row = { id, version: 1n, status: 'PENDING' }",
    "const made = { ...terms, id, status: 'PENDING' }",
    "return { set: { providerStatus: 'processing' } }",
    "const live = statement('x', `select id from keys where a = $1 and status = 'ACTIVE'`)",
  ])('takes %s', (code) => {
    expect(said(path, `${code}\n`)).toEqual([])
  })
})

describe('other conventions', () => {
  it('keeps rules, pricing, machines and contracts free of waiting', () => {
    for (const name of ['rules', 'pricing', 'machine', 'contract']) {
      expect(
        said(`${engine}/money/quotes/${name}.ts`, 'export async function f() { await g() }\n'),
      ).toHaveLength(2)
    }
    expect(said(`${engine}/money/quotes/commands.ts`, 'export async function f() { await g() }\n')).toEqual(
      [],
    )
  })

  it.each([
    "if (scope.environment === 'SANDBOX') pay()",
    "if ('PRODUCTION' !== scope.environment) pay()",
    "switch (environment) { case 'SANDBOX': pay() }",
    'if (isSandbox) pay()',
  ])('refuses to decide by environment: %s', (code) => {
    expect(said(`${engine}/money/quotes/rules.ts`, `${code}\n`).join()).toContain('EnvironmentRules')
    expect(said('packages/adapters/src/sandbox/rail.ts', `${code}\n`)).toEqual([])
    expect(said(`${engine}/money/quotes/rules.ts`, `// ${code}\n`)).toEqual([])
  })

  it('refuses file names that say nothing', () => {
    for (const name of ['utils', 'quote-helpers', 'job-manager', 'handler', 'base']) {
      expect(said(`${engine}/money/quotes/${name}.ts`, '')).toEqual([
        expect.stringContaining('after its subject'),
      ])
    }
    expect(said(`${engine}/money/quotes/QuoteStore.ts`, '')).toEqual(['is not in kebab-case'])
  })

  it('refuses paths of one machine and addresses of one registry', () => {
    for (const place of ['work', 'farm', 'Users'].map((name) => `/${name}/corridor`)) {
      expect(said('docs/a.md', `see ${place}\n`)).toHaveLength(1)
    }
    expect(said('docs/a.md', `https://registry.${'npmjs'}.org\n`)).toHaveLength(1)
    expect(said('docs/a.md', 'packages/engine/work/ and https://example.com/work/\n')).toEqual([])
  })

  it('warns of long files', () => {
    const findings = findingsOf([sourceFile('tests/a.ts', 'x\n'.repeat(451))])
    expect(findings).toEqual([expect.objectContaining({ isWarning: true })])
    expect(findingsOf([sourceFile('tests/a.ts', 'x\n'.repeat(450))])).toEqual([])
  })

  it('finds a rail that is not in the list', () => {
    const rail = sourceFile('packages/adapters/src/rails/sepa/client.ts', '')
    const list = (text: string) => sourceFile('packages/adapters/src/rails/index.ts', text)
    const about = (text: string) =>
      findingsOf([rail, list(text)]).filter(({ path }) => path.endsWith('sepa/'))
    expect(about('')).toHaveLength(1)
    expect(about("import { sepa } from './sepa/client.ts'\n")).toEqual([])
  })

  it('finds files that nothing reaches, even when they import each other', () => {
    const files = [
      sourceFile('apps/server/src/main.ts', "import './config.ts'\n"),
      sourceFile('apps/server/src/config.ts', ''),
      sourceFile(`${engine}/a.ts`, "import './b.ts'\n"),
      sourceFile(`${engine}/b.ts`, "import './a.ts'\n"),
    ]
    const dead = findingsOf(files).filter(({ message }) => message.startsWith('is imported by nothing'))
    expect(dead.map(({ path }) => path)).toEqual([`${engine}/a.ts`, `${engine}/b.ts`])
  })
})

describe('reading TypeScript', () => {
  it('tells code from comments, strings, templates and regular expressions', () => {
    const text = [
      "const a = 'Date.now()' // Date.now()",
      // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the text under test
      'const b = `x ${Date.now()} y ${`${1}`} Date.now()`',
      'const c = /Date\\.now\\(\\)[/]/.test(a) /* Date.now() */',
      'const d = a / b / Date.now()',
      "const e = 'it\\'s Date.now()'",
    ].join('\n')
    const { code } = split(text)
    expect(code.split('\n').map((line) => line.split('Date.now()').length - 1)).toEqual([0, 1, 0, 1, 0])
    expect(code).toHaveLength(text.length)
  })
})

describe('this repository', () => {
  it('is tidy', () => {
    const findings = findingsOf(readRepository(join(import.meta.dirname, '..')))
    expect(findings.filter(({ isWarning }) => !isWarning)).toEqual([])
  })
})

describe('the rule of linear patterns', () => {
  it.each([
    ['^[^@\\s]+@[^@\\s]+\\.[^@\\s]+$', 'takes 2nd degree polynomial time'],
    ['\\/+$', 'takes 2nd degree polynomial time'],
    ['^(a+)+$', 'takes exponential time'],
    ['^[^@\\s]+@[^@\\s.]+(?:\\.[^@\\s.]+)+$', 'linear'],
  ])('says of %s: %s', (pattern, verdict) => {
    expect(verdictOn(pattern, '')).toBe(verdict)
  })
})

describe('tables of files', () => {
  const readme = (text: string) =>
    sourceFile(`${engine}/money/quotes/README.md`, `# Quotes\n\n| File | What |\n${text}`)
  const saidOf = (text: string) =>
    findingsOf([
      readme(text),
      ...['store', 'draft', 'limits'].map((name) => sourceFile(`${engine}/money/quotes/${name}.ts`, '')),
    ])
      .filter(({ path }) => path.endsWith('README.md'))
      .map(({ message }) => message)

  it('name each file that is not of the template', () => {
    expect(saidOf('| `draft.ts` | amounts |')).toEqual(['has no line for limits.ts'])
    expect(saidOf('| `draft.ts`, `lim*.ts` | amounts |')).toEqual([])
  })
})

describe('what the console says', () => {
  const page = 'apps/console/src/pages/payments/a.tsx'

  it.each([
    'const a = <p>Nothing yet</p>',
    'const a = <p>{isOver ? "over" : left}</p>',
    'const a = <input placeholder="Your name" />',
    'const a = <section aria-label={isCard ? "A card" : name} />',
    "const columns = [{ title: 'Currency', cell }]",
    "const a = <Facts of={[['Status', data.status]]} />",
    "document.title = 'Sign in'",
    "const a = rich('See <at></at>', { at: () => <b>the guide</b> })",
  ])('refuses %s, which has not gone through the catalogue', (code) => {
    expect(said(page, `${code}\n`).join()).toContain('is not given to t or rich')
    expect(said('apps/cli/src/a.ts', `${code}\n`)).toEqual([])
  })

  it.each([
    'const a = <p className="quiet wide">{t(\'Nothing yet\')}</p>',
    'const a = <code>corridor listen --forward-to localhost:3000/hooks</code>',
    "const a = useQuery({ queryKey: ['ledger audit'], queryFn })",
    'const a = <Go to="sandbox/faults" aria-label={t(\'Faults\')} />',
    "const a = { title: row.title, label: 'SEPA_INSTANT' }",
    "throw new Error('This page is shown to nobody')",
  ])('takes %s', (code) => {
    expect(said(page, `${code}\n`).join()).not.toContain('is not given to t or rich')
  })
})

describe('the prose of documents', () => {
  const longSentence = `${'word '.repeat(30)}end.`

  it.each([
    [longSentence, 'has 31 words in a sentence'],
    [`- an item\n- ${'word '.repeat(15)}\n  ${'word '.repeat(15)}end.`, 'has 31 words in a sentence'],
    [`| a | ${longSentence} |`, 'has 31 words in a sentence'],
    ['What is deleted is removed from lists.', 'begins with its object'],
    ['It is done. Whether it is kept depends on you.', 'begins with its object'],
    ['Whoever has the key may read it.', 'says “Whoever”'],
    ['Corridor answers with 409.', 'says “answers”'],
    ['The body has two members.', 'says “members”'],
    ['A payment that is under way\nfinishes.', 'says “under way”'],
    ['## What fails on purpose', 'says “on purpose”'],
  ])('refuses %j', (text, message) => {
    expect(said('docs/guides/a.md', text).join()).toContain(message)
    expect(said('packages/engine/src/money/quotes/README.md', text).join()).toContain(message)
  })

  it.each([
    `${'word '.repeat(29)}end.`,
    `${'word '.repeat(29)}end. ${'word '.repeat(29)}end.`,
    `${'word '.repeat(28)}\`a b c d\` end.`,
    'What is a quote?',
    '| What | Of whom |',
    'The code is `UNDER_WAY`, and the field is `answer`.',
    '```sh\nWhoever answers what nobody asked is a member on purpose.\n```',
    'World gives the time, and the outside world gives rates.',
  ])('takes %j', (text) => {
    expect(said('docs/guides/a.md', text)).toEqual([])
  })

  it('leaves generated pages to their sources', () => {
    for (const path of ['docs/reference/errors.md', 'docs/guides/sandbox.md']) {
      expect(said(path, 'Whoever answers.')).toEqual([])
    }
  })

  it('takes an exception while its document has it, and no longer', () => {
    const exception = { path: 'docs/a.md', text: 'An OIDC claim answers', reason: 'under test' }
    expect(proseFindings('docs/a.md', 'An OIDC claim answers this.', [exception])).toEqual([])
    expect(proseFindings('docs/b.md', 'An OIDC claim answers this.', [exception])).toHaveLength(1)
    expect(proseFindings('docs/a.md', 'It is gone.', [exception])).toEqual([
      { path: 'docs/a.md', message: expect.stringContaining('delete its exception') },
    ])
  })

  it('has a reason for each exception', () => {
    const all = [...exceptions, ...textExceptions]
    expect(all.filter(({ reason }) => reason.length < 20)).toEqual([])
  })
})

describe('the prose of texts', () => {
  const contract = `${engine}/money/quotes/contract.ts`

  it.each([
    [contract, "const a = { description: 'Whoever holds the code may claim it.' }", 'says “Whoever”'],
    [contract, "const a = { summary: 'What is left of it is shown here.' }", 'begins with its object'],
    [contract, "const a = about('It waits for the answer of the bank.')", 'says “answer”'],
    [`${engine}/money/quotes/rules.ts`, "fail({ message: 'is under way already' })", 'says “under way”'],
    [`${engine}/money/quotes/rules.ts`, "a = { message: b ? 'nobody pays it' : c }", 'says “nobody”'],
    [`${engine}/money/quotes/machine.ts`, "a({ states: { DONE: 'the platform was told' } })", 'says “told”'],
    [`${engine}/vocabulary/error-codes/a.ts`, `a({ advice: '${'word '.repeat(30)}end.' })`, 'has 31 words'],
    ['apps/cli/src/commands/a.ts', "throw misused('There is nobody to pay.')", 'says “nobody”'],
    ['apps/cli/src/mcp/tools.ts', `note(\`The answer is \${a}.\`)`, 'says “answer”'],
    ['packages/hosted-pages/src/a.ts', 'html`<b>Your answers</b> were sent`', 'says “answers”'],
    [
      'apps/server/src/variables.ts',
      "a = { purpose: 'Whether mail is kept back is set here.' }",
      'begins with its object',
    ],
  ])('refuses in %s: %s', (path, text, message) => {
    expect(said(path, text).join()).toContain(message)
  })

  it.each([
    [contract, "const a = { answer: 'YES', description: 'The response of the bank.' }"],
    [contract, "import { a } from './open answer.ts'"],
    [`${engine}/money/quotes/rules.ts`, "world.log.warn('nobody was told')"],
    [`${engine}/money/quotes/rules.ts`, "a = { message: find('nobody is told') }"],
    [`${engine}/money/quotes/rules.test.ts`, "a = { message: 'nobody is told' }"],
    ['apps/cli/src/generated/a.ts', "a = { says: 'nobody is told' }"],
    ['apps/cli/src/a.ts', "a('nobody')"],
  ])('takes in %s: %s', (path, text) => {
    expect(said(path, text)).toEqual([])
  })

  it('takes an exception while its file has it, and no longer', () => {
    const exception = { path: contract, text: 'An OIDC claim answers', reason: 'under test' }
    const text = "a = { description: 'An OIDC claim answers this.' }"
    expect(textFindings(contract, text, [exception])).toEqual([])
    expect(textFindings(contract, text, [])).toHaveLength(1)
    expect(textFindings(contract, '', [exception])).toEqual([
      { path: contract, message: expect.stringContaining('delete its exception') },
    ])
  })
})
