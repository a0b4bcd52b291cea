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
import { printable, showList } from '../output.ts'

/** What fails on purpose, to and from a file: with one, whoever has a bug has somebody else see it. */

export const applyFaults: Command = {
  words: ['fault', 'apply'],
  takes: 'FILE',
  says: 'Make all that a file says fail on purpose, or nothing where something in it is wrong; - reads standard input',
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
    else terminal.out(`✓ ${data.length === 1 ? '1 fault' : `${data.length} faults`} of ${name}`)
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

/** What the API says is wrong, by the lines of the file. */
function located({ terminal }: Context, name: string, file: FaultFile, error: unknown): unknown {
  if (!(error instanceof Corridor.Error)) return error
  const { errors } = error.details as { errors?: readonly { field: string; message: string }[] }
  if (error.status !== 400 || !Array.isArray(errors)) return error
  for (const { field, message } of errors) {
    const [, index, rest = ''] = /^faults\.(\d{1,3})(?:\.(.{1,200}))?$/.exec(field) ?? []
    const place =
      index === undefined ? name : `${name}:${file.lineOf(Number(index))}: fault ${Number(index) + 1}`
    const what = index === undefined ? field : rest
    terminal.note(printable(`${place}: ${what === '' ? '' : `${what} `}${message}`))
  }
  const count = errors.length === 1 ? '1 field' : `${errors.length} fields`
  return new CommandFailure(exit.refused, `${count} of ${name} would be wrong; nothing was done.`)
}

export const exportFaults: Command = {
  words: ['fault', 'export'],
  says: 'Print what fails on purpose as a file, for corridor fault apply: corridor fault export > faults.yaml',
  async run(context) {
    const { terminal, output } = context
    const { sandbox } = context.client()
    const now = Date.parse((await sandbox.clock.get()).now)
    const found: Given[] = []
    for await (const fault of sandbox.faults.list({ limit: 100, sortOrder: 'asc' } as never))
      found.push(fault)
    const living = found.filter(({ until }) => until === undefined || Date.parse(until as string) > now)
    if (living.length < found.length) {
      terminal.note(`${found.length - living.length} left out: their time is over.`)
    }
    if (living.length === 0) {
      terminal.note('Nothing fails on purpose.')
      return undefined
    }
    const content = asGiven(living)
    terminal.out(output.json ? JSON.stringify(content, null, 2) : writeFaultFile(content))
    return undefined
  },
}
