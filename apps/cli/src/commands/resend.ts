import type { Command, Context } from '../command.ts'
import { misused } from '../exit.ts'
import { showOne } from '../output.ts'
import { matchingTypes } from './event-types.ts'
import { secondsOf } from './sandbox.ts'

export const resend: Command = {
  words: ['resend'],
  takes: 'EVENT…',
  says: 'Resend events with the same ids and bytes: corridor resend Webhook:…',
  flags: { yes: { type: 'boolean', says: 'skip the confirmation' } },
  async run(context) {
    context.argument(0, 'EVENT')
    const { terminal, output } = context
    const client = context.client()
    await context.guardProduction(`Resend ${context.positionals.length} events`)
    for (const id of context.positionals) {
      const sent = await client.webhookEvents.resend(id)
      if (output.json || output.jsonl || output.quiet) showOne(terminal, output, sent)
      else terminal.out(`✓ ${id} resent`)
    }
    return undefined
  },
}

export const replay: Command = {
  words: ['replay'],
  says: 'Resend events from a period: corridor replay --since 1h --events "OUTGOING_PAYMENT.*"',
  flags: {
    since: {
      type: 'string',
      says: 'start of the period: an age such as 90m, or a time such as 2025-10-13T09:00:00Z',
    },
    until: { type: 'string', says: 'end of the period: an age or a time (default now)' },
    events: { type: 'string', says: 'event types, separated by commas; * matches anything' },
    status: {
      type: 'string',
      says: 'event statuses DELIVERED, FAILED and STORED, separated by commas (default all)',
    },
    rate: { type: 'string', says: 'maximum events per second (default 50)' },
    'dry-run': { type: 'boolean', says: 'print only the number of events' },
    yes: { type: 'boolean', says: 'skip the confirmation' },
  },
  async run(context) {
    const { terminal, output } = context
    const client = context.client()
    const body = await requestOf(context)
    const counted = await client.webhookEvents.replay({ ...body, dryRun: true } as never)
    if (context.isSet('dry-run')) {
      showOne(terminal, output, counted)
      return undefined
    }
    await context.guardProduction(`Resend ${counted.matching} events`)
    await context.confirm(`Resend ${counted.matching} events?`)
    const done = await client.webhookEvents.replay(body as never)
    if (output.json || output.quiet) showOne(terminal, output, done)
    else
      terminal.out(
        `✓ resending ${done.replayed} of ${done.matching} events${done.until ? `, the last at ${done.until}` : ''}`,
      )
    return undefined
  },
}

async function requestOf(context: Context): Promise<object> {
  const since = context.text('since')
  if (since === undefined) throw misused('--since is missing.', 'corridor replay --since 1h')
  const until = context.text('until')
  const events = context.text('events')
  const status = context.text('status')
  const rate = context.text('rate')
  if (rate !== undefined && !/^[1-9]\d{0,3}$/.test(rate))
    throw misused('--rate must be a number of events per second.')
  const now = await timeThere(context)
  return {
    createdAfter: instantOf(since, now, '--since'),
    ...(until === undefined ? {} : { createdBefore: instantOf(until, now, '--until') }),
    ...(events === undefined ? {} : { types: matchingTypes(events) }),
    ...(status === undefined ? {} : { statuses: status.split(',') }),
    ...(rate === undefined ? {} : { ratePerSecond: Number(rate) }),
  }
}

/** That of the sandbox, whose clock may be ahead; production has none that can be asked. */
async function timeThere(context: Context): Promise<number> {
  const clock = await context
    .client()
    .sandbox.clock.get()
    .catch(() => undefined)
  return clock ? Date.parse(clock.now) : context.terminal.now()
}

function instantOf(text: string, now: number, flag: string): string {
  if (/^\d+(s|m|h|d)/.test(text) && !text.includes('T'))
    return new Date(now - secondsOf(text) * 1000).toISOString()
  const instant = Date.parse(text)
  if (Number.isNaN(instant))
    throw misused(`${flag} must be an age such as 90m or a time such as 2025-10-13T09:00:00Z, not ${text}.`)
  return new Date(instant).toISOString()
}
