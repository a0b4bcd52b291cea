import { parseArgs } from 'node:util'
import { Corridor, type CorridorOptions } from '@corridor/sdk'
import { CommandFailure, exit, misused } from './exit.ts'
import type { OutputSettings } from './output.ts'
import { type Profile, readOperatorProfile, readProfile } from './profile.ts'
import type { Terminal } from './terminal.ts'

export interface Flag {
  readonly type: 'string' | 'boolean'
  readonly multiple?: boolean
  readonly says: string
}

export interface Command {
  /** The words that name it: `['customers', 'list']`. */
  readonly words: readonly string[]
  /** What follows them, for people: `ACCOUNT AMOUNT CURRENCY`. */
  readonly takes?: string
  readonly says: string
  readonly flags?: Readonly<Record<string, Flag>>
  run(context: Context): Promise<number | undefined>
}

export const commonFlags: Readonly<Record<string, Flag>> = {
  json: { type: 'boolean', says: 'print the response of the API' },
  jsonl: { type: 'boolean', says: 'print all pages as JSON, one entry per line' },
  quiet: { type: 'boolean', says: 'print ids only' },
  columns: { type: 'string', says: 'table columns to print, separated by commas' },
  'no-headers': { type: 'boolean', says: 'omit the column names' },
  'no-input': { type: 'boolean', says: 'do not prompt; if a flag is missing, fail and name the flag' },
  curl: { type: 'boolean', says: 'print the request instead of sending it' },
  production: { type: 'boolean', says: 'allow changes in production' },
  'base-url': { type: 'string', says: 'base URL of the installation, including the version' },
  profile: { type: 'string', says: 'section of the configuration file to use' },
  help: { type: 'boolean', says: 'show help for a command' },
}

type Values = Readonly<Record<string, string | boolean | (string | boolean)[] | undefined>>

/** What is asked, where that is not the platform of the profile, and whether real money is there. */
export interface Guarded {
  readonly baseUrl: string
  isReal(): Promise<boolean>
}

/** What a command has to work with. */
export interface Context {
  readonly terminal: Terminal
  readonly positionals: readonly string[]
  readonly output: OutputSettings
  text(flag: string): string | undefined
  texts(flag: string): readonly string[]
  isSet(flag: string): boolean
  /** The argument at this place, or a failure that names it. */
  argument(index: number, name: string): string
  profile(): Profile
  /** Signed in as the profile says. */
  client(): Corridor
  /** Asks, unless nobody is there: then it fails and names the flag that answers. */
  ask(question: string, flag: string): Promise<string>
  /** Whether the answer was yes, or `--yes` was given. */
  confirm(question: string): Promise<void>
  /** With the key of an operator, outside of the versions. */
  operator(): Corridor
  /** Before something is changed: refuses in production unless `--production` says so and the name is typed. */
  guardProduction(what: string, of?: Guarded): Promise<void>
}

export function contextOf(
  terminal: Terminal,
  command: Command,
  given: readonly string[],
  clientOptions: Partial<CorridorOptions>,
): Context {
  const { values, positionals } = parse(command, given)
  const [stray] = positionals.slice(mostTaken(command))
  if (stray !== undefined) throw misused(`Unexpected argument: ${stray}.`, usageOf(command))
  const text = (flag: string) => values[flag] as string | undefined
  const isSet = (flag: string) => values[flag] === true
  const profile = () => readProfile(terminal, { baseUrl: text('base-url'), profile: text('profile') })
  let made: Corridor | undefined
  const client = () => {
    made ??= new Corridor({
      ...profile(),
      ...clientOptions,
    })
    return made
  }
  let madeOperator: Corridor | undefined
  const operator = () => {
    if (!madeOperator) {
      const { baseUrl, key } = readOperatorProfile(terminal, {
        baseUrl: text('base-url'),
        profile: text('profile'),
      })
      madeOperator = new Corridor({ baseUrl, agentToken: key, ...clientOptions })
    }
    return madeOperator
  }
  const mayAsk = terminal.canAsk && !isSet('no-input')
  return {
    terminal,
    positionals,
    output: {
      json: isSet('json'),
      jsonl: isSet('jsonl'),
      quiet: isSet('quiet'),
      hasHeaders: !isSet('no-headers'),
      columns: text('columns')?.split(','),
    },
    text,
    texts: (flag) => (values[flag] as string[] | undefined) ?? [],
    isSet,
    profile,
    client,
    operator,
    argument(index, name) {
      const value = positionals[index]
      if (value === undefined) throw misused(`${name} is missing.`, usageOf(command))
      return value
    },
    async ask(question, flag) {
      if (!mayAsk) throw misused(`${flag} is missing.`, usageOf(command))
      return terminal.ask(question)
    },
    async confirm(question) {
      if (isSet('yes')) return
      if (!mayAsk)
        throw new CommandFailure(
          exit.unconfirmed,
          `${question} Prompts are not available here.`,
          'Add --yes to confirm.',
        )
      const answer = await terminal.ask(`${question} [y/N] `)
      if (!/^y(es)?$/i.test(answer.trim())) throw new CommandFailure(exit.unconfirmed, 'Nothing was changed.')
    },
    async guardProduction(what, of = platformOf(client())) {
      if (!(await of.isReal())) return
      if (!isSet('production')) {
        throw new CommandFailure(
          exit.unconfirmed,
          `This command changes production at ${of.baseUrl}: ${what}.`,
          'Add --production to continue.',
        )
      }
      const { host } = new URL(of.baseUrl)
      if (!mayAsk || (await terminal.ask(`${what} in PRODUCTION. Type ${host} to continue: `)) !== host) {
        throw new CommandFailure(exit.unconfirmed, 'Nothing was changed.')
      }
    },
  }
}

/** Only a sandbox has a clock that can be asked for. */
function platformOf(platform: Corridor): Guarded {
  return {
    baseUrl: platform.baseUrl,
    isReal: () =>
      platform.sandbox.clock.get().then(
        () => false,
        (error: unknown) => {
          if (error instanceof Corridor.Error && error.status === 403) return true
          throw error
        },
      ),
  }
}

export function usageOf({ words, takes, flags = {} }: Command): string {
  const own = Object.entries(flags).map(([name, { type }]) => `[--${name}${type === 'string' ? ' …' : ''}]`)
  return ['Usage: corridor', ...words, ...(takes ? [takes] : []), ...own].join(' ')
}

/** How many words may follow it: as many as it names, or any number where one of them stands for several or for a choice. */
function mostTaken({ takes = '' }: Command): number {
  if (/[…|]/.test(takes)) return Number.POSITIVE_INFINITY
  return takes.split(' ').filter(Boolean).length
}

function parse(command: Command, given: readonly string[]): { values: Values; positionals: string[] } {
  const flags = { ...commonFlags, ...command.flags }
  const options = Object.fromEntries(
    Object.entries(flags).map(([name, { type, multiple = false }]) => [name, { type, multiple }]),
  )
  try {
    return parseArgs({ args: [...given], options, allowPositionals: true, strict: true })
  } catch (error) {
    throw misused((error as Error).message, usageOf(command))
  }
}
