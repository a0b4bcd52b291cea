import type { CorridorOptions } from '@corridor/sdk'
import { type Command, commonFlags, contextOf, usageOf } from './command.ts'
import { completion } from './commands/completion.ts'
import { dev, logs } from './commands/dev.ts'
import { explain } from './commands/explain.ts'
import { addFault, applyFaults, exportFaults, listFaults, removeFaults } from './commands/faults.ts'
import { audit, doctor, open } from './commands/installation.ts'
import { listen } from './commands/listen.ts'
import { mcp } from './commands/mcp.ts'
import { operationCommands } from './commands/operations.ts'
import { pay } from './commands/pay.ts'
import { report } from './commands/report.ts'
import { replay, resend } from './commands/resend.ts'
import { clock, fund, inbox } from './commands/sandbox.ts'
import { trigger } from './commands/trigger.ts'
import { fork, reset, restore, snapshot } from './commands/worlds.ts'
import { exit, explained } from './exit.ts'
import { nearest } from './nearest.ts'
import type { Terminal } from './terminal.ts'
import { version } from './version.ts'

const tasks: readonly Command[] = [
  dev,
  pay,
  fund,
  clock,
  inbox,
  addFault,
  listFaults,
  removeFaults,
  applyFaults,
  exportFaults,
  fork,
  snapshot,
  restore,
  reset,
  listen,
  resend,
  replay,
  trigger,
  explain,
  report,
  doctor,
  audit,
  logs,
  open,
  mcp,
  completion(() => commands),
]
export const commands: readonly Command[] = [...tasks, ...operationCommands]

const shownNearest = 5

/** Runs one command; returns what the process ends with. */
export async function runCli(
  given: readonly string[],
  terminal: Terminal,
  clientOptions: Partial<CorridorOptions> = {},
): Promise<number> {
  if (given.length === 1 && given[0] === '--version') {
    terminal.out(version)
    return exit.done
  }
  const found = commandOf(given)
  if (!found) return help(given, terminal)
  const { command, rest } = found
  // Behind `--` stands what is completed, flags among it.
  if (rest.slice(0, rest.includes('--') ? rest.indexOf('--') : rest.length).includes('--help')) {
    return helpOf(command, terminal)
  }
  try {
    return (await command.run(contextOf(terminal, command, rest, clientOptions))) ?? exit.done
  } catch (error) {
    const { code, lines } = explained(error)
    for (const [index, line] of lines.entries()) terminal.note(index === 0 ? `✕ ${line}` : `  ${line}`)
    return code
  }
}

/** The command that the first words name, and what follows them. */
function commandOf(given: readonly string[]): { command: Command; rest: readonly string[] } | undefined {
  const count = flagsBefore(given)
  const [front, words] = [given.slice(0, count), given.slice(count)]
  const matching = commands.filter((each) => each.words.every((word, index) => words[index] === word))
  const [command] = matching.sort((a, b) => b.words.length - a.words.length)
  return command && { command, rest: [...front, ...words.slice(command.words.length)] }
}

/** How many of them are flags that every command has, in front of the first word: `corridor --json clock show`. */
function flagsBefore(given: readonly string[]): number {
  let count = 0
  for (let flag = flagOf(given[0]); flag; flag = flagOf(given[count])) count += flag.words
  return count
}

function flagOf(word: string | undefined): { readonly words: number } | undefined {
  const [, name, value] = /^--([a-z-]+)(=.*)?$/s.exec(word ?? '') ?? []
  const flag = name === undefined ? undefined : commonFlags[name as keyof typeof commonFlags]
  return flag && { words: flag.type === 'string' && value === undefined ? 2 : 1 }
}

function helpOf(command: Command, terminal: Terminal): number {
  terminal.out(`${usageOf(command)}\n\n${command.says}\n`)
  const flags = Object.entries({ ...command.flags, ...commonFlags })
  for (const [name, { says }] of flags) terminal.out(`  --${name.padEnd(24)}${says}`)
  if (command.takes) terminal.out(`  --${''.padEnd(24)}end of flags; after it, -x is an argument`)
  return exit.done
}

/** Everything, or what begins with the words that were given. */
function help(given: readonly string[], terminal: Terminal): number {
  const words = given.filter((word) => !word.startsWith('-'))
  if (words.length === 0) {
    const text = tasks.map(({ words, says }) => `  ${words.join(' ').padEnd(14)}${says}`)
    const resources = [...new Set(operationCommands.map(({ words: [word] }) => word!))]
    const isAsked = given.length === 0 || given.includes('--help')
    const lines = [
      'Usage: corridor COMMAND',
      '',
      ...text,
      '',
      'All operations of the API:',
      `  ${resources.join(' ')}`,
    ]
    ;(isAsked ? terminal.out : terminal.note)(lines.join('\n'))
    return isAsked ? exit.done : exit.usage
  }
  const within = commands.filter((command) => words.every((word, index) => command.words[index] === word))
  if (within.length === 0) {
    const near = nearest(words, commands, shownNearest)
    const meant = near.length > 0 ? near : nearest(words.slice(0, 1), commands, shownNearest)
    terminal.note(`✕ Unknown command: ${words.join(' ')}.`)
    if (meant.length > 0) terminal.note('  Did you mean one of these?')
    for (const command of meant) terminal.note(`    corridor ${command.words.join(' ')}`)
    terminal.note('  To list all commands, run corridor --help.')
    return exit.usage
  }
  const list = within.map(
    (command) => `  corridor ${command.words.join(' ')}  ${command.takes ?? ''}  ${command.says}`,
  )
  const isAsked = given.includes('--help')
  ;(isAsked ? terminal.out : terminal.note)(list.join('\n'))
  return isAsked ? exit.done : exit.usage
}
