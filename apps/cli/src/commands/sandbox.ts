import { Corridor, formatMoney, moveClock, type Query } from '@corridor/sdk'
import type { Command } from '../command.ts'
import { exit, misused } from '../exit.ts'
import { showList, showOne } from '../output.ts'
import { amountOf } from '../payments.ts'
import { shownMeanwhile } from '../progress.ts'

/** What one does to a sandbox: money in, time, messages. */

export const fund: Command = {
  words: ['fund'],
  takes: 'ACCOUNT AMOUNT CURRENCY',
  says: 'Fund an internal account in the sandbox: corridor fund InternalAccount:… 1000.00 USD',
  async run(context) {
    const id = context.argument(0, 'ACCOUNT')
    const text = context.argument(1, 'AMOUNT')
    const code = context.argument(2, 'CURRENCY')
    const client = context.client()
    const { currency } = (await client.internalAccounts.get(id)).balance
    if (currency.code !== code) throw misused(`${id} is in ${currency.code}, not in ${code}.`)
    const account = await client.sandbox.internalAccounts.fund(id, {
      amount: amountOf(text, currency.decimals),
    })
    if (context.output.json || context.output.quiet) showOne(context.terminal, context.output, account)
    else context.terminal.out(`✓ ${id} has ${formatMoney(account.balance)}`)
    return undefined
  },
}

export const clock: Command = {
  words: ['clock'],
  takes: '[show | advance 6m | to-next | run-until-quiet]',
  says: 'Show the sandbox clock, or advance it by a duration, to the next due step, or until nothing is due',
  async run(context) {
    const [action = 'show', ...parts] = context.positionals
    const client = context.client()
    if (action === 'show') {
      showOne(context.terminal, context.output, await client.sandbox.clock.get())
      return undefined
    }
    const way = wayOf(action, parts)
    const startedAt = context.terminal.now()
    const answer = await shownMeanwhile(
      { client, terminal: context.terminal },
      { subject: [action, ...parts].join(' '), seconds: 'seconds' in way ? way.seconds : undefined },
      () => moveClock(client, way),
    )
    const took = ((context.terminal.now() - startedAt) / 1000).toFixed(1)
    const told = `${[action, ...parts].join(' ')} in ${took} s: ${answer.ranCount} steps ran`
    context.terminal.note(answer.isThere ? `✓ ${told}` : `✕ ${told}; the clock stopped at ${answer.now}`)
    showOne(context.terminal, context.output, answer)
    return answer.isThere ? undefined : exit.timedOut
  },
}

function wayOf(action: string, parts: readonly string[]) {
  if (action === 'advance') return { seconds: secondsOf(parts.join(' ')) }
  const until = ends[action]
  if (until === undefined) throw misused(`${action} is not one of show, advance, to-next, run-until-quiet.`)
  if (parts.length > 0) throw misused(`clock ${action} takes no further arguments.`)
  return { until }
}

const ends: Readonly<Record<string, 'NEXT' | 'QUIET' | undefined>> = {
  'to-next': 'NEXT',
  'run-until-quiet': 'QUIET',
  // Shorter.
  next: 'NEXT',
  quiet: 'QUIET',
}

const unitSeconds: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400 }

/** Of `90s`, `6m`, `1d 6h`. */
export function secondsOf(text: string): number {
  const parts = text.split(' ').map((part) => /^(\d{1,8})(s|m|h|d)$/.exec(part))
  if (parts.some((part) => part === null))
    throw misused(
      `${text === '' ? 'The duration is missing' : `${text} is not a duration`}. Examples: 90s, 6m, "1d 6h".`,
    )
  return parts.reduce((sum, part) => sum + Number(part![1]) * unitSeconds[part![2]!]!, 0)
}

type Waiting = Query<'waitForSandboxMessage'>

/** As long as one call may wait. */
const longestWaitSeconds = 25

export const inbox: Command = {
  words: ['inbox'],
  says: 'List messages that the sandbox would have sent: corridor inbox --wait --customer Customer:…',
  flags: {
    wait: { type: 'boolean', says: 'wait for a new message and print it' },
    customer: { type: 'string', says: 'only messages to this customer' },
    channel: { type: 'string', says: 'only messages by EMAIL or SMS' },
    to: { type: 'string', says: 'with --wait: recipient, an e-mail address or phone number' },
    purpose: { type: 'string', says: 'with --wait: purpose, such as CONTACT_VERIFICATION' },
    after: {
      type: 'string',
      says: 'with --wait: only messages after this sandbox time (default now)',
    },
    timeout: { type: 'string', says: 'seconds to wait (default 60)' },
  },
  async run(context) {
    const { terminal, output } = context
    const customerId = context.text('customer')
    const channel = context.text('channel')
    const query = {
      ...(customerId ? { customerId } : {}),
      ...(channel ? { channel } : {}),
    } as Query<'waitForSandboxMessage'>
    const [to, purpose, since] = [context.text('to'), context.text('purpose'), context.text('after')]
    if (!context.isSet('wait')) {
      const alone = Object.entries({ to, purpose, after: since }).find(([, value]) => value !== undefined)
      if (alone) throw misused(`--${alone[0]} needs --wait.`)
      const page = await context.client().sandbox.inbox.list(query)
      showList(terminal, output, page.data, page)
      return undefined
    }
    const seconds = Number(context.text('timeout') ?? '60')
    if (!(seconds >= 0)) throw misused('--timeout must be a number of seconds.')
    const { sandbox } = context.client()
    const after = since ?? (await sandbox.clock.get()).now
    for (const until = terminal.now() + seconds * 1000; ; ) {
      const left = Math.max(0, Math.ceil((until - terminal.now()) / 1000))
      const { message } = await sandbox.inbox.wait.get({
        ...query,
        ...(to === undefined ? {} : { to }),
        ...(purpose === undefined ? {} : { purpose: purpose as NonNullable<Waiting['purpose']> }),
        after,
        seconds: Math.min(left, longestWaitSeconds),
      })
      if (message) {
        showOne(terminal, output, message)
        return undefined
      }
      if (terminal.now() >= until) break
    }
    throw new Corridor.TimeoutError(`No new message arrived within ${seconds} s.`)
  },
}
