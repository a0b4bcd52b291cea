import { Corridor, formatMoney, type Item, toMinorUnits } from '@corridor/sdk'
import type { Command } from '../command.ts'
import { misused } from '../exit.ts'
import { showList, showOne } from '../output.ts'

/** What one does to a sandbox: money in, time, messages. */

export const fund: Command = {
  words: ['fund'],
  takes: 'ACCOUNT AMOUNT CURRENCY',
  says: 'Put money into an internal account of the sandbox: corridor fund InternalAccount:… 1000.00 USD',
  async run(context) {
    const id = context.argument(0, 'ACCOUNT')
    const text = context.argument(1, 'AMOUNT')
    const code = context.argument(2, 'CURRENCY')
    const client = context.client()
    const { currency } = (await client.internalAccounts.get(id)).balance
    if (currency.code !== code) throw misused(`${id} is in ${currency.code}, not in ${code}.`)
    const account = await client.sandbox.internalAccounts.fund(id, {
      amount: toMinorUnits(text, currency.decimals),
    })
    if (context.output.json || context.output.quiet) showOne(context.terminal, context.output, account)
    else context.terminal.out(`✓ ${id} has ${formatMoney(account.balance)}`)
    return undefined
  },
}

export const clock: Command = {
  words: ['clock'],
  takes: '[show | advance 6m | next | quiet]',
  says: 'Show the time of the sandbox, or move it: by a time, to what is due next, or until nothing is',
  async run(context) {
    const [action = 'show', ...parts] = context.positionals
    const { sandbox } = context.client()
    if (action === 'show') {
      showOne(context.terminal, context.output, await sandbox.clock.get())
      return undefined
    }
    const way = wayOf(action, parts)
    const startedAt = context.terminal.now()
    const answer = await sandbox.clock.advance(way, { timeoutMs: 600_000 })
    const took = ((context.terminal.now() - startedAt) / 1000).toFixed(1)
    context.terminal.note(
      `✓ ${[action, ...parts].join(' ')} in ${took} s: ${answer.ranCount} happened${answer.isThere ? '' : ', not there yet'}`,
    )
    showOne(context.terminal, context.output, answer)
    return undefined
  },
}

function wayOf(action: string, parts: readonly string[]) {
  if (action === 'advance') return { seconds: secondsOf(parts.join(' ')) }
  if (action !== 'next' && action !== 'quiet')
    throw misused(`${action} is not one of show, advance, next, quiet.`)
  if (parts.length > 0) throw misused(`clock ${action} takes nothing more.`)
  return { until: action === 'next' ? ('NEXT' as const) : ('QUIET' as const) }
}

const unitSeconds: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400 }

/** Of `90s`, `6m`, `1d 6h`. */
export function secondsOf(text: string): number {
  const parts = text.split(' ').map((part) => /^(\d{1,8})(s|m|h|d)$/.exec(part))
  if (parts.some((part) => part === null))
    throw misused(`${text || 'Nothing'} is no time like 90s, 6m, "1d 6h".`)
  return parts.reduce((sum, part) => sum + Number(part![1]) * unitSeconds[part![2]!]!, 0)
}

type Message = Item<'listSandboxInbox'>
const pollMs = 250

export const inbox: Command = {
  words: ['inbox'],
  says: 'Messages that the sandbox would have sent: corridor inbox --wait --customer Customer:…',
  flags: {
    wait: { type: 'boolean', says: 'wait for a message that is not there yet, and print it' },
    customer: { type: 'string', says: 'of this customer' },
    channel: { type: 'string', says: 'EMAIL or SMS' },
    timeout: { type: 'string', says: 'seconds to wait; 60 by default' },
  },
  async run(context) {
    const { terminal, output } = context
    const customerId = context.text('customer')
    const channel = context.text('channel')
    const query = { ...(customerId ? { customerId } : {}), ...(channel ? { channel } : {}) } as never
    const list = () => context.client().sandbox.inbox.list(query)
    if (!context.isSet('wait')) {
      const page = await list()
      showList(terminal, output, page.data, page)
      return undefined
    }
    const seconds = Number(context.text('timeout') ?? '60')
    if (!(seconds >= 0)) throw misused('--timeout is a number of seconds.')
    const before = new Set((await list().first(100)).map(({ id }) => id))
    for (
      const until = terminal.now() + seconds * 1000;
      terminal.now() <= until;
      await terminal.sleep(pollMs)
    ) {
      const fresh = (await list().first(100)).find((message: Message) => !before.has(message.id))
      if (fresh) {
        showOne(terminal, output, fresh)
        return undefined
      }
    }
    throw new Corridor.TimeoutError(`No new message came within ${seconds} s.`)
  },
}
