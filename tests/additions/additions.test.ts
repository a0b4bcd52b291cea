import { execFileSync } from 'node:child_process'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

/**
 * What CONTRIBUTING.md says about additions, tried: a rail, an account type, an event type, a status of a
 * transaction and a feature that do not exist are added to a copy of the source, an engine is started with them, and
 * the edits are counted.
 */

const root = join(import.meta.dirname, '../..')
const engine = 'packages/engine/src'
const packages = readdirSync(join(root, 'packages'))

class Copy {
  readonly directory = mkdtempSync(join(tmpdir(), 'corridor-additions-'))
  /** Lines added to files that are there, by path. */
  readonly edited: Record<string, number> = {}
  readonly added: string[] = []

  constructor() {
    for (const name of packages) {
      cpSync(join(root, 'packages', name), join(this.directory, 'packages', name), {
        recursive: true,
        filter: (path) => !path.endsWith('node_modules'),
      })
    }
    cpSync(join(root, 'tests/additions/trial.ts'), join(this.directory, 'trial.ts'))
    cpSync(join(root, 'package.json'), join(this.directory, 'package.json'))
    mkdirSync(join(this.directory, 'node_modules/@corridor'), { recursive: true })
    for (const name of readdirSync(join(root, 'node_modules'))) {
      if (name === '@corridor' || name.startsWith('.')) continue
      symlinkSync(join(root, 'node_modules', name), join(this.directory, 'node_modules', name))
    }
    for (const name of packages) {
      symlinkSync(
        join(this.directory, 'packages', name),
        join(this.directory, 'node_modules/@corridor', name),
      )
    }
  }

  /** Writes lines before the first line that holds `before`. */
  insert(path: string, before: string | RegExp, ...lines: string[]): void {
    const file = join(this.directory, path)
    const text = readFileSync(file, 'utf8').split('\n')
    const at = text.findIndex((line) =>
      typeof before === 'string' ? line.includes(before) : before.test(line),
    )
    if (at < 0) throw new Error(`${path} has no line with ${before}`)
    text.splice(at, 0, ...lines)
    writeFileSync(file, text.join('\n'))
    this.edited[path] = (this.edited[path] ?? 0) + lines.length
  }

  add(path: string, text: string): void {
    const file = join(this.directory, path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
    this.added.push(path)
  }

  run(): Record<string, unknown> {
    // On an embedded database that the copy's migrations make, not on a copy of the run's.
    const { CORRIDOR_TEST_PGLITE_TEMPLATE, CORRIDOR_TEST_POSTGRESQL_TEMPLATE, ...env } = process.env
    const output = execFileSync(process.execPath, ['--import', 'tsx', 'trial.ts'], {
      cwd: this.directory,
      env,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    return JSON.parse(output.trim().split('\n').at(-1)!)
  }

  remove(): void {
    rmSync(this.directory, { recursive: true, force: true })
  }
}

/** The files that an addition touched, and how many lines it wrote into those that were there. */
function touched(copy: Copy, add: () => void): { files: string[]; linesElsewhere: number } {
  const before = { ...copy.edited }
  const addedBefore = copy.added.length
  add()
  const lines = Object.entries(copy.edited).map(
    ([path, count]) => [path, count - (before[path] ?? 0)] as const,
  )
  const edited = lines.filter(([, count]) => count > 0)
  return {
    files: [...edited.map(([path]) => path), ...copy.added.slice(addedBefore)],
    linesElsewhere: edited.reduce((sum, [, count]) => sum + count, 0),
  }
}

let copy: Copy
let outcome: Record<string, unknown>
const additions: Record<string, ReturnType<typeof touched>> = {}

beforeAll(() => {
  copy = new Copy()
  additions.accountType = touched(copy, () => {
    copy.add(
      `${engine}/reference/account-types/trial.ts`,
      `import { defineAccountType } from './define.ts'
import { examplePerson } from './example-beneficiary.ts'
import { digits, required } from './fields.ts'

export const trial = defineAccountType({
  name: 'TRIAL_ACCOUNT',
  kind: 'BANK',
  currencies: ['GBP'],
  countries: ['GB'],
  fields: { trialNumber: required(digits(8)) },
  identifiers: [{ field: 'trialNumber', rails: ['FASTER_PAYMENTS'] }],
  example: { trialNumber: '12345678', beneficiary: examplePerson },
})
`,
    )
    const catalogue = `${engine}/reference/account-types/catalogue.ts`
    copy.insert(catalogue, "from './uganda.ts'", "import { trial } from './trial.ts'")
    copy.insert(catalogue, '  uganda,', '  trial,')
  })

  additions.rail = touched(copy, () => {
    copy.insert(
      `${engine}/reference/rails/bank-rails.ts`,
      "    id: 'SPEI',",
      "    id: 'TRIAL_RAIL',",
      "    name: 'Trial rail',",
      "    kind: 'BANK',",
      "    currencies: ['GBP'],",
      "    countries: ['GB'],",
      '    settlement: instant,',
      "    capabilities: ['PAYOUT'],",
      '  }),',
      '  defineRail({',
    )
    const path = join(copy.directory, `${engine}/reference/account-types/trial.ts`)
    writeFileSync(path, readFileSync(path, 'utf8').replace("['FASTER_PAYMENTS']", "['TRIAL_RAIL']"))
    copy.edited[`${engine}/reference/account-types/trial.ts`] = 1
  })

  additions.railClient = touched(copy, () => {
    const rails = 'packages/adapters/src/rails'
    copy.add(
      `${rails}/trial/client.ts`,
      `import { railAdapter } from '../rail-adapter.ts'

export const trialRail = railAdapter({
  id: 'TRIAL_RAIL',
  settings: ['URL'],
  connect: (world, { URL }) => ({
    submitPayout: async () => (await world.fetch(URL)).json(),
    fetchPayout: async () => (await world.fetch(URL)).json(),
  }),
})
`,
    )
    copy.insert(
      `${rails}/index.ts`,
      'import type { InstructionIssuer }',
      "import { trialRail } from './trial/client.ts'",
    )
    const index = join(copy.directory, rails, 'index.ts')
    writeFileSync(
      index,
      readFileSync(index, 'utf8').replace('RailAdapter[] = []', 'RailAdapter[] = [trialRail]'),
    )
    copy.edited[`${rails}/index.ts`]! += 1
  })

  additions.feature = touched(copy, () => {
    const folder = `${engine}/money/trial-notes`
    copy.add(
      `${folder}/contract.ts`,
      `import Type from 'typebox'
import { operation } from '../../vocabulary/operation.ts'

export const TrialNote = Type.Object({ text: Type.String() }, { $id: 'TrialNote' })

export const listTrialNotes = operation({
  id: 'listTrialNotes',
  method: 'GET',
  path: '/trial-notes',
  tag: 'Trial Notes',
  summary: 'List notes',
  auth: 'basic',
  permissions: ['VIEW'],
  responses: { 200: TrialNote },
  errors: [],
})
`,
    )
    copy.add(
      `${folder}/routes.ts`,
      `import { ok } from '@corridor/kernel'
import { route } from '../../mechanisms/feature/bound.ts'
import { listTrialNotes } from './contract.ts'

export const trialNoteRoutes = [route(listTrialNotes, async () => ok({ status: 200, body: { text: 'tried' } }))]
`,
    )
    copy.add(
      `${folder}/feature.ts`,
      `import { defineFeature } from '../../mechanisms/feature/define-feature.ts'
import { trialNoteRoutes } from './routes.ts'

export const trialNotesFeature = defineFeature({
  name: 'trial-notes',
  routes: trialNoteRoutes,
})
`,
    )
    const list = `${engine}/assembly/features.ts`
    copy.insert(
      list,
      "from '../money/uma-peers/feature.ts'",
      "import { trialNotesFeature } from '../money/trial-notes/feature.ts'",
    )
    copy.insert(list, '  umaReceiptsFeature,', '  trialNotesFeature,')
    copy.insert(`${engine}/assembly/tags.ts`, '  VASPs:', "  'Trial Notes': 'Notes that are made up.',")
    copy.insert(`${engine}/vocabulary/areas.ts`, '  CARDS:', "  TRIAL_NOTES: ['Trial Notes'],")
  })

  additions.eventType = touched(copy, () => {
    copy.insert(`${engine}/vocabulary/webhook.ts`, "    'TEST',", "    'TRIAL_NOTE.WRITTEN',")
    copy.insert(
      `${engine}/notices/webhooks/events.ts`,
      '  types: { TEST:',
      "  types: { 'TRIAL_NOTE.WRITTEN': 'A note was written.',",
    )
    const events = join(copy.directory, `${engine}/notices/webhooks/events.ts`)
    const text = readFileSync(events, 'utf8').replace("written.',\n  types: { TEST:", "written.',\n  TEST:")
    writeFileSync(events, text)
  })

  additions.transactionStatus = touched(copy, () => {
    const payments = `${engine}/money/payments`
    copy.insert(`${payments}/machine.ts`, /^ {4}PROCESSING:/, "    QUEUED: 'the rail lets it wait',")
    copy.insert(
      `${payments}/machine.ts`,
      /^ {4}\{( from:|$)/,
      "    { from: ['PENDING'], on: 'queue', to: 'QUEUED', why: 'the rail has not taken it on' },",
      "    { from: ['QUEUED'], on: 'fail', to: 'FAILED', emits: 'OUTGOING_PAYMENT.FAILED', why: 'undeliverable' },",
    )
    copy.insert(
      `${payments}/payment-steps.ts`,
      'return finish(facts, begin(facts).change({ flow }), { next',
      "    if (transaction.status === 'PENDING')",
      "      return finish(facts, begin(facts).move('queue', { flow }), { next: submission.checkAt })",
    )
    const schemas = `${payments}/transaction-schemas.ts`
    // Once among all, once among those of a payment out.
    for (const word of [/^ {4}'PROCESSING',/, /^ {2}'PROCESSING',/]) copy.insert(schemas, word, "'QUEUED',")
    copy.add(
      'packages/engine/migrations/9999_queued_transactions.sql',
      `-- Made up: payments that a rail lets wait.
alter table transactions drop constraint transactions_status_check;
alter table transactions add constraint transactions_status_check check (status in
  ('CREATED', 'PENDING', 'PENDING_AUTHORIZATION', 'QUEUED', 'PROCESSING', 'COMPLETED', 'REJECTED', 'FAILED',
   'REFUNDED', 'EXPIRED'));
`,
    )
  })
  outcome = copy.run()
}, 120_000)
afterAll(() => copy?.remove())

describe('an addition', () => {
  it.each([
    ['rail', 2],
    ['accountType', 2],
    ['eventType', 2],
    ['transactionStatus', 4],
  ])('%s takes %i files', (name, files) => {
    expect(additions[name]!.files).toHaveLength(files)
  })

  it('of a feature with a tag of its own takes its folder and four lines elsewhere', () => {
    const { files, linesElsewhere } = additions.feature!
    expect(files.filter((path) => !path.includes('/trial-notes/'))).toHaveLength(3)
    expect(linesElsewhere).toBe(4)
  })

  it('of a client takes its folder and two lines of one list', () => {
    const { files, linesElsewhere } = additions.railClient!
    expect(files.filter((path) => !path.includes('/trial/'))).toHaveLength(1)
    expect(linesElsewhere).toBe(2)
  })

  it('is all it takes: an engine with them serves each, and publishes it', () => {
    expect(outcome).toEqual({
      rails: ['TRIAL_RAIL'],
      status: 'COMPLETED',
      rail: 'TRIAL_RAIL',
      queued: ['QUEUED', 'FAILED'],
      // A payment in a status that nobody has heard of is under way: its account and its owner wait for it.
      closing: 'PAYMENTS_UNDER_WAY',
      note: { text: 'tried' },
      published: ['TRIAL_ACCOUNT', 'TRIAL_RAIL', 'TRIAL_NOTE.WRITTEN', 'listTrialNotes', 'QUEUED'],
    })
  })
})
