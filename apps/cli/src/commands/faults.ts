import { closeSync, openSync, readSync } from 'node:fs'
import { resolve } from 'node:path'
import { Corridor } from '@corridor/sdk'
import type { Command, Context } from '../command.ts'
import { CommandFailure, exit, misused } from '../exit.ts'
import {
  asGiven,
  type FaultFile,
  type Given,
  largestFileBytes,
  readFaultFile,
  writeFaultFile,
} from '../fault-file.ts'
import { printable, showList, showOne } from '../output.ts'

/** What fails on purpose: one at a time, or to and from a file: with one, whoever has a bug has somebody else see it. */

export const addFault: Command = {
  words: ['fault', 'add'],
  takes: 'KIND TARGET',
  says: 'Create a sandbox fault: corridor fault add LOST_ANSWER API --match operationId=executeQuote --times 1',
  flags: {
    match: { type: 'string', multiple: true, says: 'condition, such as railId=SPEI' },
    param: { type: 'string', multiple: true, says: 'parameter, such as ms=500' },
    probability: { type: 'string', says: 'probability of each hit (default 1)' },
    times: { type: 'string', says: 'maximum number of hits (default: no maximum)' },
    after: { type: 'string', says: 'number of matches to skip first' },
    until: { type: 'string', says: 'end time of the fault on the sandbox clock' },
    seed: { type: 'string', says: 'seed for the random choice if the probability is below 1' },
    hidden: { type: 'boolean', says: 'do not mention the fault in responses and explanations' },
  },
  async run(context) {
    const { terminal, output } = context
    const numbers = ['probability', 'times', 'after'] as const
    const [match, params] = [namesOf(context, 'match'), namesOf(context, 'param')]
    const fault = {
      kind: context.argument(0, 'KIND'),
      target: context.argument(1, 'TARGET'),
      ...(match ? { match } : {}),
      ...(params ? { params } : {}),
      ...Object.fromEntries(numbers.flatMap((name) => numberOf(name, context.text(name)))),
      ...Object.fromEntries(['until', 'seed'].flatMap((name) => textOfFlag(name, context.text(name)))),
      ...(context.isSet('hidden') ? { hidden: true } : {}),
    }
    // Of a list, in which a name that nobody knows is wrong.
    const { data } = await context
      .client()
      .sandbox.faults.apply({ faults: [fault] } as never)
      .catch((error: unknown) => {
        const errors = wrongFieldsOf(error)
        for (const { field, ...wrong } of errors) {
          terminal.note(printable(`${field.replace(/^faults\.0\./, '')} ${saidOf(wrong)}`))
        }
        if (errors.length === 0) throw error
        throw new CommandFailure(exit.refused, `Nothing was changed: ${counted(errors)} invalid.`)
      })
    const [made] = data
    showOne(terminal, output, made)
    return undefined
  },
}

/** `name=value` of a flag that may be given several times; undefined: never. */
function namesOf(context: Context, flag: string): Given | undefined {
  const given = context.texts(flag)
  if (given.length === 0) return undefined
  return Object.fromEntries(
    given.map((assignment) => {
      const [, name, value] = /^(\w{1,64})=(.*)$/s.exec(assignment) ?? []
      if (name === undefined || value === undefined)
        throw misused(`--${flag} ${assignment} must have the form name=value.`)
      // The endings of accounts are text, though they look like numbers.
      return [name, name !== 'outcome' && /^-?\d{1,15}$/.test(value) ? Number(value) : value]
    }),
  )
}

function numberOf(name: string, text: string | undefined): [string, number][] {
  if (text === undefined) return []
  if (!/^\d{1,15}(\.\d{1,15})?$/.test(text)) throw misused(`--${name} must be a number.`)
  return [[name, Number(text)]]
}

const textOfFlag = (name: string, text: string | undefined): [string, string][] =>
  text === undefined ? [] : [[name, text]]

export const listFaults: Command = {
  words: ['fault', 'list'],
  says: 'List faults with their number of hits, or the hits of one fault with --activations ID',
  flags: { activations: { type: 'string', says: 'list the hits of this fault with their requests' } },
  async run(context) {
    const { terminal, output } = context
    const { faults } = context.client().sandbox
    const of = context.text('activations')
    if (of !== undefined) {
      const page = await faults.activations.list(of)
      showList(terminal, output, page.data, page)
      return undefined
    }
    const page = await faults.list({ limit: 100 } as never)
    const columns = output.columns ?? [
      'target',
      'kind',
      'hits',
      'seen',
      'times',
      'probability',
      'until',
      'id',
    ]
    showList(terminal, { ...output, columns }, page.data, page)
    return undefined
  },
}

export const removeFaults: Command = {
  words: ['fault', 'rm'],
  takes: 'FAULT…',
  says: 'Remove faults by id, or all faults with --all',
  flags: { all: { type: 'boolean', says: 'remove all faults' } },
  async run(context) {
    const { terminal, positionals } = context
    const { faults } = context.client().sandbox
    if (context.isSet('all') === positionals.length > 0) throw misused('Pass fault ids, or --all.')
    if (context.isSet('all')) await faults.deleteAll()
    for (const id of positionals) await faults.delete(id)
    const count = positionals.length
    terminal.note(`✓ ${count === 0 ? 'all faults' : count === 1 ? '1 fault' : `${count} faults`} removed`)
    return undefined
  },
}

export const applyFaults: Command = {
  words: ['fault', 'apply'],
  takes: 'FILE',
  says: 'Create all faults in a file, or none if one is invalid; FILE can be - for standard input',
  async run(context) {
    const { terminal, output } = context
    const path = context.argument(0, 'FILE')
    const name = path === '-' ? 'standard input' : path
    const file = readFaultFile(name, await textOf(context, path))
    const body = { ...file.besides, faults: file.faults }
    const { data } = await context
      .client()
      .sandbox.faults.apply(body as never)
      .catch((error: unknown) => {
        throw located(context, name, file, error)
      })
    if (output.json || output.jsonl || output.quiet) showList(terminal, output, data, { data })
    else terminal.out(`✓ ${data.length === 1 ? '1 fault' : `${data.length} faults`} created from ${name}`)
    return undefined
  },
}

async function textOf({ terminal }: Context, path: string): Promise<string> {
  const bytes = path === '-' ? Buffer.from(await terminal.read()) : readStart(path, terminal.directory)
  if (bytes.length > largestFileBytes) {
    throw misused(`${path} is larger than ${largestFileBytes / 1024} KB.`)
  }
  return bytes.toString('utf8')
}

/** One byte more than may be, and no more: not everything that has a name has an end. */
function readStart(path: string, folder: string): Buffer {
  const bytes = Buffer.alloc(largestFileBytes + 1)
  let file: number
  try {
    file = openSync(resolve(folder, path), 'r')
  } catch {
    throw misused(`${path} cannot be read.`)
  }
  try {
    let length = 0
    for (;;) {
      const read = readSync(file, bytes, length, bytes.length - length, null)
      length += read
      if (read === 0 || length === bytes.length) return bytes.subarray(0, length)
    }
  } catch {
    throw misused(`${path} cannot be read.`)
  } finally {
    closeSync(file)
  }
}

function wrongFieldsOf(error: unknown): readonly WrongField[] {
  if (!(error instanceof Corridor.Error) || error.status !== 400) return []
  const { errors } = error.details as { errors?: readonly WrongField[] }
  return Array.isArray(errors) ? errors : []
}

interface WrongField {
  readonly field: string
  readonly message: string
  readonly constraint?: { readonly enum?: readonly string[] }
}

const counted = ({ length }: readonly WrongField[]) => (length === 1 ? '1 field' : `${length} fields`)

/** What is wrong with a field, and what it may be where that is a word of a list. */
function saidOf({ message, constraint }: Omit<WrongField, 'field'>): string {
  return Array.isArray(constraint?.enum) ? `${message}: ${constraint.enum.join(', ')}` : message
}

/** What the API says is wrong, by the lines of the file. */
function located({ terminal }: Context, name: string, file: FaultFile, error: unknown): unknown {
  const errors = wrongFieldsOf(error)
  if (errors.length === 0) return error
  for (const { field, ...wrong } of errors) {
    const [, index, rest = ''] = /^faults\.(\d{1,3})(?:\.(.{1,200}))?$/.exec(field) ?? []
    const place =
      index === undefined ? name : `${name}:${file.lineOf(Number(index))}: fault ${Number(index) + 1}`
    const what = index === undefined ? field : rest
    terminal.note(printable(`${place}: ${what === '' ? '' : `${what} `}${saidOf(wrong)}`))
  }
  return new CommandFailure(exit.refused, `Nothing was changed: ${counted(errors)} invalid in ${name}.`)
}

export const exportFaults: Command = {
  words: ['fault', 'export'],
  says: 'Export faults for use with corridor fault apply: corridor fault export > faults.yaml',
  async run(context) {
    const { terminal, output } = context
    const { sandbox } = context.client()
    const now = Date.parse((await sandbox.clock.get()).now)
    const found: Given[] = []
    for await (const fault of sandbox.faults.list({ limit: 100, sortOrder: 'asc' } as never))
      found.push(fault)
    const living = found.filter(({ until }) => until === undefined || Date.parse(until as string) > now)
    if (living.length < found.length) {
      terminal.note(`Faults omitted because they have ended: ${found.length - living.length}.`)
    }
    if (living.length === 0) {
      terminal.note('There are no faults.')
      return undefined
    }
    const content = asGiven(living)
    terminal.out(output.json ? JSON.stringify(content, null, 2) : writeFaultFile(content))
    return undefined
  },
}
