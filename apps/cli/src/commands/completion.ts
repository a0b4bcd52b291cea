import { type Command, commonFlags } from '../command.ts'
import { misused } from '../exit.ts'
import { scenarios } from '../scenarios/index.ts'

const scripts: Readonly<Record<string, string>> = {
  bash: `_corridor() {
  mapfile -t COMPREPLY < <(corridor completion words -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -o default -F _corridor corridor`,
  zsh: `#compdef corridor
_corridor() { local -a found; found=("\${(@f)$(corridor completion words -- "\${words[@]:1:$((CURRENT-1))}" 2>/dev/null)}"); compadd -a found }
compdef _corridor corridor`,
  fish: `complete -c corridor -f -a '(corridor completion words -- (commandline -opc)[2..] (commandline -ct) 2>/dev/null)'`,
}

/** Prints the script of a shell; the script asks `corridor completion words` for what may come next. */
export function completion(commands: () => readonly Command[]): Command {
  return {
    words: ['completion'],
    takes: Object.keys(scripts).join('|'),
    says: 'Print shell completion: source <(corridor completion bash)',
    async run(context) {
      const [shell = '', ...typed] = context.positionals
      if (shell === 'words') {
        for (const word of candidates(commands(), typed)) context.terminal.out(word)
        return undefined
      }
      if (!Object.hasOwn(scripts, shell))
        throw misused(`The shell must be one of ${Object.keys(scripts).join(', ')}.`)
      context.terminal.out(scripts[shell]!)
      return undefined
    },
  }
}

/** What may stand in the place of the last word. */
export function candidates(commands: readonly Command[], typed: readonly string[]): string[] {
  const done = typed.slice(0, -1)
  const last = typed.at(-1) ?? ''
  const plain = done.filter((word) => !word.startsWith('-'))
  const command = commands.find(({ words }) => words.every((word, index) => plain[index] === word))
  const next = command
    ? last.startsWith('-')
      ? Object.keys({ ...command.flags, ...commonFlags }).map((name) => `--${name}`)
      : command.words[0] === 'trigger'
        ? Object.keys(scenarios)
        : []
    : commands
        .filter(({ words }) => plain.every((word, index) => words[index] === word))
        .map(({ words }) => words[plain.length] ?? '')
  return [...new Set(next)].filter((word) => word !== '' && word.startsWith(last)).sort()
}
